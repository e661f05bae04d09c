#include "exporters/glb_buffer.h"

#include <algorithm>
#include <bit>

namespace taut::exporters {

namespace {

static_assert(std::endian::native == std::endian::little, "glTF is little-endian");

constexpr int kFloat = 5126, kUnsignedShort = 5123, kUnsignedInt = 5125;

void pad(std::string& bytes, char filler)
{
    while (bytes.size() % 4 != 0) bytes += filler;
}

void put(std::string& out, std::uint32_t number)
{
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put_chunk(std::string& out, std::uint32_t kind, const std::string& content)
{
    put(out, static_cast<std::uint32_t>(content.size()));
    put(out, kind);
    out += content;
}

}  // namespace

int GlbBuffer::append(const void* data, std::size_t bytes, Use use)
{
    pad(bytes_, '\0');
    Json view = {{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", bytes}};
    if (use != Use::Animation) view["target"] = static_cast<int>(use);
    bytes_.append(static_cast<const char*>(data), bytes);
    views_.push_back(std::move(view));
    return static_cast<int>(views_.size()) - 1;
}

template <std::size_t N>
int GlbBuffer::add_floats(const float* numbers, std::size_t count, const char* type, Use use)
{
    std::array<float, N> low{}, high{};
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < N; ++k) {
            const float x = numbers[i * N + k];
            low[k] = i ? std::min(low[k], x) : x;
            high[k] = i ? std::max(high[k], x) : x;
        }
    accessors_.push_back({{"bufferView", append(numbers, count * N * sizeof(float), use)},
                          {"componentType", kFloat},
                          {"count", count},
                          {"type", type},
                          {"min", low},
                          {"max", high}});
    return static_cast<int>(accessors_.size()) - 1;
}

int GlbBuffer::add(std::span<const float> numbers)
{
    return add_floats<1>(numbers.data(), numbers.size(), "SCALAR", Use::Animation);
}

int GlbBuffer::add(std::span<const std::array<float, 3>> vectors, Use use)
{
    return add_floats<3>(vectors.data()->data(), vectors.size(), "VEC3", use);
}

int GlbBuffer::add(std::span<const std::array<float, 4>> vectors)
{
    return add_floats<4>(vectors.data()->data(), vectors.size(), "VEC4", Use::Animation);
}

int GlbBuffer::add(std::span<const std::array<std::uint32_t, 3>> triangles)
{
    std::vector<std::uint16_t> narrow;
    std::uint32_t low = triangles.empty() ? 0 : triangles[0][0], high = 0;
    for (const auto& triangle : triangles)
        for (const std::uint32_t corner : triangle) {
            low = std::min(low, corner);
            high = std::max(high, corner);
            narrow.push_back(static_cast<std::uint16_t>(corner));
        }
    // 65535 is not used as an index: drivers may treat it as primitive restart
    const bool fits = high < 65535;
    const int view = fits ? append(narrow.data(), narrow.size() * 2, Use::Indices)
                          : append(triangles.data(), triangles.size_bytes(), Use::Indices);
    accessors_.push_back({{"bufferView", view},
                          {"componentType", fits ? kUnsignedShort : kUnsignedInt},
                          {"count", narrow.size()},
                          {"type", "SCALAR"},
                          {"min", {low}},
                          {"max", {high}}});
    return static_cast<int>(accessors_.size()) - 1;
}

std::string GlbBuffer::file(Json document) const
{
    // glTF does not allow empty arrays
    if (!accessors_.empty()) {
        document["accessors"] = accessors_;
        document["bufferViews"] = views_;
        document["buffers"] = {{{"byteLength", bytes_.size()}}};
    }
    std::string json = document.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::string binary = bytes_;
    pad(json, ' ');
    pad(binary, '\0');

    constexpr std::uint32_t kMagic = 0x46546C67, kVersion = 2;  // "glTF"
    constexpr std::uint32_t kJson = 0x4E4F534A, kBinary = 0x004E4942;
    const std::size_t size = 12 + 8 + json.size() + (binary.empty() ? 0 : 8 + binary.size());
    std::string out;
    out.reserve(size);
    put(out, kMagic);
    put(out, kVersion);
    put(out, static_cast<std::uint32_t>(size));
    put_chunk(out, kJson, json);
    if (!binary.empty()) put_chunk(out, kBinary, binary);
    return out;
}

}  // namespace taut::exporters
