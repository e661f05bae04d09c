// Straight segments between moving points: rods, springs, arrows. Each kind is one instanced mesh of a unit
// geometry along z, from 0 to 1, scaled to its length.
import * as three from 'three';

const kZ = new three.Vector3(0, 0, 1);
const scratch = {
  d: new three.Vector3(),
  q: new three.Quaternion(),
  s: new three.Vector3(),
  X: new three.Matrix4()
};

export class Segments {
  readonly mesh: three.InstancedMesh;
  private used = 0;

  constructor(geometry: three.BufferGeometry, material: three.Material, readonly capacity: number) {
    this.mesh = new three.InstancedMesh(geometry, material, Math.max(1, capacity));
    this.mesh.frustumCulled = false;
    this.mesh.count = 0;
  }

  begin(): void { this.used = 0; }

  // Adds a segment from a to b; ignored if its length is zero or not finite, or beyond the capacity.
  add(a: three.Vector3, b: three.Vector3, radius: number, colour: three.Color): void {
    const length = scratch.d.subVectors(b, a).length();
    if (!(length > 0) || !Number.isFinite(length) || this.used >= this.capacity) return;
    scratch.q.setFromUnitVectors(kZ, scratch.d.divideScalar(length));
    this.mesh.setMatrixAt(this.used, scratch.X.compose(a, scratch.q, scratch.s.set(radius, radius, length)));
    this.mesh.setColorAt(this.used, colour);
    ++this.used;
  }

  end(): void {
    this.mesh.count = this.used;
    this.mesh.visible = this.used > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    (this.mesh.material as three.Material).dispose();
    this.mesh.dispose();
  }
}

export function unitRod(): three.BufferGeometry {
  return new three.CylinderGeometry(1, 1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}

export function unitCone(): three.BufferGeometry {
  return new three.ConeGeometry(1, 1, 20).rotateX(Math.PI / 2).translate(0, 0, 0.5);
}

// A coil that starts and ends on its axis. Its wire lies in the radial and the axial direction: stretching along z then
// changes the pitch but hardly the thickness of the wire.
export function unitCoil(turns = 12): three.BufferGeometry {
  const [steps, sides, wide, flat] = [20 * turns, 6, 0.13, 0.006];
  const corners: number[] = [];
  const faces: number[] = [];
  for (let i = 0; i <= steps; ++i) {
    const t = i / steps;
    const angle = 2 * Math.PI * turns * t;
    const radius = Math.min(1, Math.min(t, 1 - t) * turns * 2);
    for (let j = 0; j < sides; ++j) {
      const around = 2 * Math.PI * j / sides;
      const r = radius + wide * Math.cos(around);
      corners.push(r * Math.cos(angle), r * Math.sin(angle), t + flat * Math.sin(around));
      if (i === steps) continue;
      const [a, b] = [i * sides + j, i * sides + (j + 1) % sides];
      faces.push(a, a + sides, b, b, a + sides, b + sides);
    }
  }
  const geometry = new three.BufferGeometry();
  geometry.setAttribute('position', new three.Float32BufferAttribute(corners, 3));
  geometry.setIndex(faces);
  geometry.computeVertexNormals();
  return geometry;
}
