// Jolt in single precision, one thread: `jolt` with its default of 10 velocity and 2 position iterations, `jolt-50` with 50 and 10,
// `jolt-fine` with these and a penetration slop of 0.5 mm, because the default of 20 mm is half of what piles are made of.
// No damping (its default is 0.05), no sleeping, gyroscopic forces on, limits on speeds lifted. Damping by hand: angular damping of
// bodies [1/s].
import initJolt from 'jolt-physics/wasm-compat';

const Jolt = await initJolt();
const kTouching = 0, kGhost = 1;  // layers: bodies with and without shapes

function shape(s) {
  if (!s) return new Jolt.SphereShape(0.01);
  if (s.kind === 'box') {
    const half = new Jolt.Vec3(s.size[0] / 2, s.size[1] / 2, s.size[2] / 2);
    return new Jolt.BoxShape(half, 0.05 * Math.min(...s.size));
  }
  if (s.kind === 'sphere') return new Jolt.SphereShape(s.radius);
  // theirs lie along y
  return new Jolt.RotatedTranslatedShapeSettings(
      new Jolt.Vec3(0, 0, 0), new Jolt.Quat(Math.SQRT1_2, 0, 0, Math.SQRT1_2),
      new Jolt.CapsuleShapeSettings(s.length / 2, s.radius)).Create().Get();
}

function layers(settings) {
  const pairs = new Jolt.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(kTouching, kTouching);
  const broad = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
  for (const layer of [kTouching, kGhost]) broad.MapObjectToBroadPhaseLayer(layer, new Jolt.BroadPhaseLayer(layer));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = broad;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(broad, 2, pairs, 2);
}

export async function build({scene, options, variant}) {
  const settings = new Jolt.JoltSettings();
  settings.mMaxWorkerThreads = 0;
  layers(settings);
  const jolt = new Jolt.JoltInterface(settings);
  const system = jolt.GetPhysicsSystem();
  const interface_ = system.GetBodyInterface();
  if (variant !== '') {
    const physics = system.GetPhysicsSettings();
    physics.mNumVelocitySteps = 50;
    physics.mNumPositionSteps = 10;
    if (variant === 'fine') physics.mPenetrationSlop = 0.0005;
    system.SetPhysicsSettings(physics);
  }
  const vec = ([x, y, z]) => new Jolt.Vec3(x, y, z);
  const place = ([x, y, z]) => new Jolt.RVec3(x, y, z);

  // jointed bodies do not touch: each body is a sub-group of its own
  const filter = new Jolt.GroupFilterTable(scene.bodies.length);
  for (const j of scene.joints) if (j.a >= 0) filter.DisableCollision(j.a, j.b);

  const bodies = scene.bodies.map((b, i) => {
    const [w, x, y, z] = b.q;
    const s = new Jolt.BodyCreationSettings(shape(b.shape), place(b.p), new Jolt.Quat(x, y, z, w),
                                            Jolt.EMotionType_Dynamic, b.shape ? kTouching : kGhost);
    s.mOverrideMassProperties = Jolt.EOverrideMassProperties_MassAndInertiaProvided;
    s.mMassPropertiesOverride.mMass = b.mass;
    s.mMassPropertiesOverride.mInertia = Jolt.Mat44.prototype.sScaleVec3(vec(b.inertia));
    s.mLinearVelocity = vec(b.v);
    s.mAngularVelocity = vec(b.w);
    s.mLinearDamping = 0;
    s.mAngularDamping = options.damping;
    s.mMaxLinearVelocity = s.mMaxAngularVelocity = 1e5;
    s.mApplyGyroscopicForce = true;
    s.mAllowSleeping = false;
    s.mFriction = 0.5;
    if (b.shape) s.mCollisionGroup = new Jolt.CollisionGroup(filter, 0, i);
    const body = interface_.CreateBody(s);
    interface_.AddBody(body.GetID(), Jolt.EActivation_Activate);
    return body;
  });
  if (scene.floor) {
    const s = new Jolt.BodyCreationSettings(new Jolt.BoxShape(new Jolt.Vec3(100, 100, 1)), new Jolt.RVec3(0, 0, -1),
                                            new Jolt.Quat(0, 0, 0, 1), Jolt.EMotionType_Static, kTouching);
    s.mFriction = 0.5;
    interface_.AddBody(interface_.CreateBody(s).GetID(), Jolt.EActivation_DontActivate);
  }
  const ground = Jolt.JoltInterface.prototype.sGetFixedToWorldBody();
  for (const j of scene.joints) {
    const s = j.kind === 'ball' ? new Jolt.PointConstraintSettings() : new Jolt.HingeConstraintSettings();
    s.mSpace = Jolt.EConstraintSpace_WorldSpace;
    s.mPoint1 = s.mPoint2 = place(j.point);
    if (j.kind === 'hinge') {
      const [x, y, z] = j.axis;
      const across = Math.abs(x) < 0.5 ? [0, z, -y] : [-z, 0, x];  // axis × x or y
      const size = Math.hypot(...across);
      s.mHingeAxis1 = s.mHingeAxis2 = vec(j.axis);
      s.mNormalAxis1 = s.mNormalAxis2 = vec(across.map(c => c / size));
      if (j.limit > 0) {
        s.mLimitsMin = -j.limit;
        s.mLimitsMax = j.limit;
      }
    }
    system.AddConstraint(s.Create(j.a < 0 ? ground : bodies[j.a], bodies[j.b]));
  }
  system.OptimizeBroadPhase();
  const g = new Jolt.Vec3(...scene.gravity);
  system.SetGravity(g);
  return {
    gravity(x, y, z) {
      g.Set(x, y, z);
      system.SetGravity(g);
    },
    step(h) { jolt.Step(h, 1); },
    end() { Jolt.destroy(jolt); },
    read(out) {
      bodies.forEach((body, i) => {
        const p = body.GetCenterOfMassPosition(), at = 13 * i;
        out.set([p.GetX(), p.GetY(), p.GetZ()], at);
        const q = body.GetRotation();
        out.set([q.GetW(), q.GetX(), q.GetY(), q.GetZ()], at + 3);
        const v = body.GetLinearVelocity();
        out.set([v.GetX(), v.GetY(), v.GetZ()], at + 7);
        const w = body.GetAngularVelocity();
        out.set([w.GetX(), w.GetY(), w.GetZ()], at + 10);
      });
    },
  };
}
