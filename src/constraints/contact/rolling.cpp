#include "constraints/contact/rolling.h"

#include "constraints/parts/blocks.h"
#include "constraints/parts/point.h"

namespace taut::constraints {

void Rolling::evaluate(const Poses<2>& X, const Memory<0>&, Rows<3, 2>& out) const noexcept
{
    const Mat3 Q = X[0].R * frames[0].R;
    for (int k = 0; k < 3; ++k) {
        const Vec3 a = Q.col((k + 2) % 3);
        out.phi[k] = 0;
        parts::put_row(out.J[0], k, Vec3::Zero(), -a);
        parts::put_row(out.J[1], k, Vec3::Zero(), a);
    }
}

}  // namespace taut::constraints
