// An infinite ground: a grid that fades with distance, and shadows.
//
// The lines are drawn by a shader, one pixel wide at any distance; line geometry would flicker toward the horizon.
import * as three from 'three';

const kVertex = `
varying vec2 at;
void main() {
  at = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const kFragment = `
varying vec2 at;
uniform float cell, radius, lines;
uniform vec3 colour, ink;

float grid(vec2 p, float width) {
  vec2 wide = fwidth(p) * width;
  vec2 d = abs(fract(p - 0.5) - 0.5);
  vec2 line = 1.0 - smoothstep(0.5 * wide, wide, d);
  float dense = clamp(1.5 - 3.0 * max(wide.x, wide.y), 0.0, 1.0); // cells of a few pixels become a uniform tone
  return max(line.x, line.y) * dense;
}

void main() {
  float far = length(at) / radius;
  float shade = max(0.28 * grid(at / cell, 1.0), 0.6 * grid(at / (5.0 * cell), 1.2)) * lines;
  float fade = 1.0 - smoothstep(0.08, 0.75, far);
  gl_FragColor = vec4(mix(colour, ink, shade), fade);
  #include <colorspace_fragment>
}`;

export class Ground {
  readonly group = new three.Group();
  private readonly grid: three.Mesh<three.PlaneGeometry, three.ShaderMaterial>;

  // `size`: size of the scene [m]; `colour`: colour of a plane of the scene, if any.
  constructor(size: number, colour: string|null) {
    const radius = 9 * size;
    const base = new three.Color(colour ?? '#e9edf1');
    if (colour) base.lerp(new three.Color('#e9edf1'), 0.55);  // a saturated ground would dominate the picture
    const plane = new three.PlaneGeometry(2 * radius, 2 * radius);
    this.grid = new three.Mesh(plane, new three.ShaderMaterial({
      vertexShader: kVertex,
      fragmentShader: kFragment,
      transparent: true,
      depthWrite: false,
      side: three.DoubleSide,
      uniforms: {
        cell: {value: cellOf(size)},
        radius: {value: radius},
        lines: {value: 1},
        colour: {value: base},
        ink: {value: new three.Color('#9aa7b5')},
      },
    }));
    this.grid.renderOrder = -2;
    const shadow = new three.Mesh(plane, new three.ShadowMaterial({opacity: 0.28, depthWrite: false}));
    shadow.receiveShadow = true;
    shadow.renderOrder = -1;
    this.group.add(this.grid, shadow);
  }

  setLines(on: boolean): void { this.grid.material.uniforms['lines']!.value = on ? 1 : 0; }

  dispose(): void {
    for (const mesh of this.group.children as three.Mesh[]) {
      mesh.geometry.dispose();
      (mesh.material as three.Material).dispose();
    }
  }
}

// Spacing of the grid: 1, 2 or 5 times a power of ten, about a tenth of the scene.
export function cellOf(size: number): number {
  const rough = size / 12;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * (rough / power >= 5 ? 5 : rough / power >= 2 ? 2 : 1);
}
