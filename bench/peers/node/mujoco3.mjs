// The newest MuJoCo, in double precision, from the same XML as its native ancestor; integrator implicitfast, which its documentation
// recommends. Damping by hand: joint damping [N m s/rad].
import loadMujoco from '@mujoco/mujoco';

const mujoco = await loadMujoco();

// One model for rehearsal and play: to delete one and load another breaks the module.
let model, data;

function load(xml) {
  const files = new mujoco.MjVFS();
  xml.slice(1).forEach((part, i) => files.addBuffer(`part${i + 1}.xml`, new TextEncoder().encode(part)));
  model = mujoco.MjModel.from_xml_string(xml[0], files);
  data = new mujoco.MjData(model);
}

export async function build({xml, velocities, order}) {
  if (!model) load(xml);
  mujoco.mj_resetData(model, data);
  data.qvel.set(velocities);
  const roots = Array.from(model.body_rootid);
  let h_now = model.opt.timestep;
  return {
    gravity(x, y, z) { model.opt.gravity.set([x, y, z]); },
    step(h) {
      if (h !== h_now) model.opt.timestep = h_now = h;
      const before = data.time;
      mujoco.mj_step(model, data);
      // on numbers that are none it begins anew from the start: not what was asked for
      if (data.time <= before) throw new Error('it reset itself');
    },
    end() {},
    read(out) {
      mujoco.mj_kinematics(model, data);
      mujoco.mj_comPos(model, data);
      mujoco.mj_comVel(model, data);
      const {xpos, xquat, cvel, subtree_com} = data;
      order.forEach((body, k) => {
        const id = k + 1, at = 13 * body;
        out.set(xpos.subarray(3 * id, 3 * id + 3), at);
        out.set(xquat.subarray(4 * id, 4 * id + 4), at + 3);
        // cvel is taken at the centre of mass of the whole tree
        const [wx, wy, wz, vx, vy, vz] = cvel.subarray(6 * id, 6 * id + 6);
        const root = 3 * roots[id];
        const rx = xpos[3 * id] - subtree_com[root], ry = xpos[3 * id + 1] - subtree_com[root + 1],
              rz = xpos[3 * id + 2] - subtree_com[root + 2];
        out.set([vx + wy * rz - wz * ry, vy + wz * rx - wx * rz, vz + wx * ry - wy * rx, wx, wy, wz], at + 7);
      });
    },
  };
}
