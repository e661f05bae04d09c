// Renderer, light and background. The z axis points up.
import * as three from 'three';

three.Object3D.DEFAULT_UP.set(0, 0, 1);

const kSunFrom = new three.Vector3(0.35, -0.55, 1).normalize();

export class Stage {
  readonly scene = new three.Scene();
  readonly camera = new three.PerspectiveCamera(32, 1, 0.01, 1000);
  readonly renderer: three.WebGLRenderer;
  private readonly sun = new three.DirectionalLight('#fff4e4', 2.7);

  // `quick` disables antialiasing for live pictures if WebGL runs in software.
  constructor(parent: HTMLElement, quick: boolean) {
    const rough = quick && drawsInSoftware();
    this.renderer = new three.WebGLRenderer({antialias: !rough});
    const {renderer} = this;
    // Neutral tone mapping preserves hues, so that the colours of links match the legend.
    renderer.toneMapping = three.NeutralToneMapping;
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = three.PCFSoftShadowMap;
    renderer.domElement.id = 'canvas';
    renderer.domElement.tabIndex = 0;
    parent.appendChild(renderer.domElement);

    this.scene.background = gradient('#b9c9da', '#eef2f6');
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.setScalar(rough ? 1024 : 2048);
    this.sun.shadow.intensity = 0.9;
    // Hemisphere light for areas in shadow, and a lamp at the camera for shading there. An environment map would look
    // better, but takes seconds to prepare if WebGL runs in software.
    const lamp = new three.DirectionalLight('#dfeaff', 0.9);
    lamp.position.set(-0.8, -0.6, 0.35);
    this.scene.add(this.sun, this.sun.target, lamp, new three.HemisphereLight('#f6f9ff', '#c4beb4', 2.1));
    this.resize();
  }

  // Resizes to the window. The device pixel ratio is limited to 2.
  resize(): void {
    const [width, height] = [window.innerWidth, window.innerHeight];
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.setSize(width, height);
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
  }

  // Fits the shadow camera to a box around the scene, for the best resolution.
  lightUp(box: three.Box3): void {
    const radius = Math.max(1e-3, box.getSize(new three.Vector3()).length() / 2) * 1.25;
    const centre = box.getCenter(new three.Vector3());
    this.sun.target.position.copy(centre);
    this.sun.position.copy(centre).addScaledVector(kSunFrom, 4 * radius);
    this.sun.target.updateMatrixWorld();
    const eye = this.sun.shadow.camera;
    [eye.left, eye.right, eye.bottom, eye.top] = [-radius, radius, -radius, radius];
    [eye.near, eye.far] = [0.5 * radius, 9 * radius];
    eye.updateProjectionMatrix();
    this.sun.shadow.normalBias = (2 * radius / this.sun.shadow.mapSize.x) * 1.5;
    this.sun.shadow.bias = -2e-4;
    this.sun.shadow.radius = 2.5;
  }

  render(): void { this.renderer.render(this.scene, this.camera); }
}

function drawsInSoftware(): boolean {
  const probe = document.createElement('canvas').getContext('webgl2');
  const names = probe?.getExtension('WEBGL_debug_renderer_info');
  const renderer = probe && names ? String(probe.getParameter(names.UNMASKED_RENDERER_WEBGL)) : '';
  probe?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(renderer);
}

function gradient(top: string, bottom: string): three.Texture {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [4, 512];
  const draw = canvas.getContext('2d')!;
  const ramp = draw.createLinearGradient(0, 0, 0, canvas.height);
  ramp.addColorStop(0, top);
  ramp.addColorStop(0.62, bottom);
  draw.fillStyle = ramp;
  draw.fillRect(0, 0, canvas.width, canvas.height);
  const texture = new three.CanvasTexture(canvas);
  texture.colorSpace = three.SRGBColorSpace;
  return texture;
}
