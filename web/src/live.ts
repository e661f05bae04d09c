// A live engine, connected by a WebSocket. Reconnects automatically after a lost connection.
import {decodeFrame, decodeMessage, type Frame, type Message, type Status} from './protocol';
import {type Player} from './player';

export type Command = {
  command: string
}&Record<string, unknown>;

export interface LiveEvents {
  message(message: Message): void;
  frame(frame: Frame): void;
  connected(yes: boolean): void;
  invalidMessage(text: string): void;  // a message of the engine that cannot be decoded
}

const kFirstWait = 300, kLongestWait = 4000;  // [ms]

export class LiveEngine implements Player {
  readonly live = true;
  private socket: WebSocket|null = null;
  private wait = kFirstWait;
  private status: Status|null = null;
  private last: Frame|null = null;
  private asked: number|null = null;  // target time of a step back whose frame has not arrived yet

  constructor(private readonly address: string, private readonly events: LiveEvents) { this.connect(); }

  get playing(): boolean { return this.status !== null && !this.status.paused; }
  get speed(): number { return this.status?.speed ?? 1; }
  get time(): number { return this.last?.time ?? 0; }
  get range(): [number, number] { return [this.status?.earliest ?? 0, Math.max(this.status?.latest ?? 0, this.time)]; }

  play(): void { this.send({command: 'play'}); }
  pause(): void { this.send({command: 'pause'}); }
  reset(): void { this.send({command: 'reset'}); }
  setSpeed(value: number): void { this.send({command: 'speed', value}); }
  seek(time: number): void { this.send({command: 'rewind', time}); }
  // Steps back may be requested faster than frames arrive: each starts from the target of the previous one.
  step(by: 1|- 1): void {
    if (by > 0) {
      this.send({command: 'step'});
      return;
    }
    const to = Math.max(this.range[0], (this.asked ?? this.time) - this.dt);
    this.seek(to);
    this.asked = to;
  }

  private get dt(): number { return this.status?.dt ?? 1 / 60; }

  // Returns false if there is no connection.
  send(command: Command): boolean {
    this.asked = null;
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(command));
    return true;
  }

  private connect(): void {
    const socket = new WebSocket(this.address);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      this.wait = kFirstWait;
      this.events.connected(true);
    };
    socket.onmessage = event => this.receive(event.data as string | ArrayBuffer);
    // an error is always followed by close
    socket.onclose = () => {
      this.events.connected(false);
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, kLongestWait);
    };
  }

  private receive(data: string|ArrayBuffer): void {
    try {
      if (typeof data === 'string') {
        const message = decodeMessage(data);
        if (message.type === 'status') this.status = message;
        this.events.message(message);
      } else {
        this.last = decodeFrame(data);
        if (this.asked !== null && Math.abs(this.last.time - this.asked) < this.dt / 2) this.asked = null;
        this.events.frame(this.last);
      }
    } catch (error) {
      console.error(error);
      this.events.invalidMessage((error as Error).message);
    }
  }
}

// Address of the stream, with the token of the page address.
export function streamAddress(page: Location): string {
  const token = new URLSearchParams(page.search).get('token');
  const secure = page.protocol === 'https:' ? 'wss' : 'ws';
  return `${secure}://${page.host}/stream${token === null ? '' : `?token=${encodeURIComponent(token)}`}`;
}
