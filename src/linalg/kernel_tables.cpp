#include "linalg/kernel_tables.h"

#include <utility>

namespace taut::linalg::kernels {
namespace {

template <int N, int M>
constexpr void fill_two(Tables& t)
{
    t.copy_panel[N][M] = copy_panel<N, M>;
    t.eliminate_one[N][M] = eliminate_one<N, M>;
    t.factor_panel[N][M] = factor_panel<N, M>;
    t.update_block[N][M] = update_block<N, M>;
    t.forward_panel[N][M] = forward_panel<N, M>;
    t.backward_panel[N][M] = backward_panel<N, M>;
    t.backward_one[N][M] = backward_one<N, M>;
}

template <int N, int... M>
constexpr void fill_one(Tables& t, std::integer_sequence<int, M...>)
{
    t.load_primal[N] = load_primal<N>;
    t.load_dual[N] = load_dual<N>;
    t.factor_node[N] = factor_node<N>;
    t.update_triangle[N] = update_triangle<N>;
    t.forward_node[N] = forward_node<N>;
    t.scale_node[N] = scale_node<N>;
    t.backward_node[N] = backward_node<N>;
    (fill_two<N, M + 1>(t), ...);
}

template <int... N>
constexpr Tables make_tables(std::integer_sequence<int, N...> sizes)
{
    Tables t{};
    (fill_one<N + 1>(t, sizes), ...);
    return t;
}

}  // namespace

constexpr Tables tables = make_tables(std::make_integer_sequence<int, kMaxSize>());

}  // namespace taut::linalg::kernels
