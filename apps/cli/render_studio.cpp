#include "render_studio.h"

namespace taut::cli {

namespace {

DevTools::Json point(const Vec3& p) { return {p.x(), p.y(), p.z()}; }

// The error text that the page shows instead of a scene, or an empty text.
constexpr const char* kTrouble =
    "document.getElementById('fatal')?.textContent ?? (window.taut?.ready() ? '' : 'the page shows "
    "nothing')";

}  // namespace

Result<RenderStudio> RenderStudio::open(const std::filesystem::path& replay, const RenderPlan& plan,
                                        bool panels)
{
    auto browser = Browser::start(plan.size);
    if (!browser.ok()) return browser.error();
    TAUT_TRY(browser->open(replay, "still"));
    const auto trouble = browser->evaluate(kTrouble);
    if (!trouble.ok()) return trouble.error();
    if (const auto* said = trouble->get_ptr<const std::string*>(); !said || !said->empty())
        return Error{said ? *said : "the viewer's page does not respond"};

    if (!panels) TAUT_TRY(browser->evaluate("taut.hidePanels()"));
    if (plan.view) {
        const DevTools::Json view = {{"eye", point(plan.view->eye)},
                                     {"target", point(plan.view->target)}};
        TAUT_TRY(browser->evaluate("taut.camera(" + view.dump() + ")"));
    }
    return RenderStudio(std::move(*browser));
}

Result<std::string> RenderStudio::picture(Real time, Packing packing)
{
    // seek() renders synchronously; the result is presented with the next animation frame
    TAUT_TRY(
        browser_.evaluate("taut.seek(" + DevTools::Json(time).dump() +
                          "), new Promise(shown => requestAnimationFrame(() => shown(true)))"));
    return browser_.picture(packing);
}

}  // namespace taut::cli
