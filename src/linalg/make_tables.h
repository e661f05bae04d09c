// Fills the tables with the kernels of one width. Included by one file per width, compiled for its machine.
#pragma once

#include <utility>

#include "linalg/kernel_tables.h"

namespace taut::linalg::kernels {

template <int W>
struct TableMaker {
    using K = Kernels<W>;

    template <int N, int M>
    static constexpr void fill_two(Tables& t)
    {
        t.copy_panel[N][M] = K::template copy_panel<N, M>;
        t.eliminate_one[N][M] = K::template eliminate_one<N, M>;
        t.factor_panel[N][M] = K::template factor_panel<N, M>;
        t.update_block[N][M] = K::template update_block<N, M>;
        t.forward_panel[N][M] = K::template forward_panel<N, M>;
        t.backward_panel[N][M] = K::template backward_panel<N, M>;
        t.backward_one[N][M] = K::template backward_one<N, M>;
    }

    template <int N, int... M>
    static constexpr void fill_one(Tables& t, std::integer_sequence<int, M...>)
    {
        t.load_primal[N] = K::template load_primal<N>;
        t.load_dual[N] = K::template load_dual<N>;
        t.factor_node[N] = K::template factor_node<N>;
        t.update_triangle[N] = K::template update_triangle<N>;
        t.forward_node[N] = K::template forward_node<N>;
        t.scale_node[N] = K::template scale_node<N>;
        t.backward_node[N] = K::template backward_node<N>;
        (fill_two<N, M + 1>(t), ...);
    }

    template <int... N>
    static constexpr Tables make(std::integer_sequence<int, N...> sizes)
    {
        Tables t{};
        (fill_one<N + 1>(t, sizes), ...);
        return t;
    }
};

template <int W>
constexpr Tables make_tables(const StretchTable& stretch)
{
    Tables tables = TableMaker<W>::make(std::make_integer_sequence<int, kMaxSize>());
    tables.stretch = &stretch;
    return tables;
}

}  // namespace taut::linalg::kernels
