import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const HEAD_END = '\r\n\r\n'

/**
 * One keep-alive connection that sends ready-made requests and reads replies with a content-length. It does as little
 * as possible, because on a small machine the client competes with the server for the processor.
 */
export class WireClient {
  readonly #socket: Socket
  #received = Buffer.alloc(0)
  #waiting: { resolve: (reply: { status: number; body: Buffer }) => void; reject: (error: Error) => void } | null = null

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk) => {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
      this.#settle()
    })
    socket.on('error', (error) => this.#waiting?.reject(error))
    socket.on('close', () => this.#waiting?.reject(new Error('the shop hung up')))
  }

  static async open(address: string): Promise<WireClient> {
    const { hostname, port } = new URL(address)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    return new WireClient(socket)
  }

  /** Sends one whole HTTP/1.1 request and resolves with its reply. */
  send(request: string): Promise<{ status: number; body: Buffer }> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error('the shop hung up while nobody asked'))
      this.#waiting = { resolve, reject }
      this.#socket.write(request)
    })
  }

  close() {
    this.#waiting = null
    this.#socket.destroy()
  }

  #settle() {
    const headEnd = this.#received.indexOf(HEAD_END)
    if (headEnd < 0) return
    const head = this.#received.toString('latin1', 0, headEnd)
    const bodyStart = headEnd + HEAD_END.length
    const bodyEnd = bodyStart + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (this.#received.length < bodyEnd) return
    const body = this.#received.subarray(bodyStart, bodyEnd)
    this.#received = this.#received.subarray(bodyEnd)
    this.#waiting?.resolve({ status: Number(head.slice(9, 12)), body })
  }
}
