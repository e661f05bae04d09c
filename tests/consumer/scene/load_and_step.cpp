// What an embedder of scene files writes: read a shipped scene from the installed tree and step it.
#include <cstdio>

#include <taut/scene.h>

int main(int argc, char** argv)
{
    if (argc != 2) return 2;
    auto scene = taut::load_scene(argv[1]);
    if (!scene) {
        std::puts(scene.error().message.c_str());
        return 1;
    }
    for (int i = 0; i < 60; ++i)
        if (scene->world.step(scene->settings).status != taut::StepStatus::Ok) return 1;
    std::printf("%s: %d bodies at %.3f s\n", scene->name.c_str(), scene->world.body_count(),
                scene->world.time());
}
