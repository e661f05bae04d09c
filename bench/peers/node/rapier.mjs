// Rapier in single precision, joints held by impulses (its joints in reduced coordinates cannot be started with velocities): 50
// solver iterations, each of them a small step of its own. No damping, no sleeping. Damping by hand: angular damping of bodies [1/s].
import RAPIER from '@dimforge/rapier3d-compat';

await RAPIER.init();
const vec = ([x, y, z]) => ({x, y, z});
const quat = ([w, x, y, z]) => ({w, x, y, z});

function collider({kind, radius, length, size, friction}) {
  const half = Math.SQRT1_2;
  const desc = kind === 'box'     ? RAPIER.ColliderDesc.cuboid(size[0] / 2, size[1] / 2, size[2] / 2)
             : kind === 'capsule' ? RAPIER.ColliderDesc.capsule(length / 2, radius)
                                        .setRotation({w: half, x: half, y: 0, z: 0})  // theirs lie along y
                                  : RAPIER.ColliderDesc.ball(radius);
  return desc.setDensity(0).setFriction(friction);
}

const conjugate = q => ({w: q.w, x: -q.x, y: -q.y, z: -q.z});
const product = (a, b) => ({
  w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
  x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
  y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
  z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
});

// Angle of a hinge: its frames on both bodies have their x along the axis.
function angle(a, b, joint) {
  const turn = product(conjugate(product(a.rotation(), joint.frameX1())), product(b.rotation(), joint.frameX2()));
  return 2 * Math.atan2(turn.x, turn.w);
}

export async function build({scene, options}) {
  const world = new RAPIER.World(vec(scene.gravity));
  world.integrationParameters.numSolverIterations = 50;
  const bodies = scene.bodies.map(b => {
    const body = world.createRigidBody(
        RAPIER.RigidBodyDesc.dynamic()
            .setTranslation(...b.p)
            .setRotation(quat(b.q))
            .setLinvel(...b.v)
            .setAngvel(vec(b.w))
            .setAngularDamping(options.damping)
            .setCanSleep(false)
            .setAdditionalMassProperties(b.mass, vec([0, 0, 0]), vec(b.inertia), quat([1, 0, 0, 0])));
    if (b.shape) world.createCollider(collider(b.shape), body);
    return body;
  });
  const ground = world.createRigidBody(RAPIER.RigidBodyDesc.fixed());
  if (scene.floor)
    world.createCollider(RAPIER.ColliderDesc.cuboid(100, 100, 1).setTranslation(0, 0, -1).setFriction(0.5), ground);
  for (const j of scene.joints) {
    const data = j.kind === 'ball'
        ? RAPIER.JointData.spherical(vec(j.anchor_a), vec(j.anchor_b))
        : RAPIER.JointData.revoluteWithAxes(vec(j.anchor_a), vec(j.anchor_b), vec(j.axis_a), vec(j.axis_b));
    const a = j.a < 0 ? ground : bodies[j.a];
    const joint = world.createImpulseJoint(data, a, bodies[j.b], true);
    joint.setContactsEnabled(false);
    if (j.limit > 0) {
      const start = angle(a, bodies[j.b], joint);  // not zero where the bodies begin
      joint.setLimits(start - j.limit, start + j.limit);
    }
  }
  return {
    gravity(x, y, z) { world.gravity = {x, y, z}; },
    step(h) {
      world.timestep = h;
      world.step();
    },
    end() { world.free(); },
    read(out) {
      bodies.forEach((body, i) => {
        const p = body.translation(), q = body.rotation(), v = body.linvel(), w = body.angvel();
        out.set([p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z], 13 * i);
      });
    },
  };
}
