import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type CuttableLine = Awaited<ReturnType<typeof openCuttableLine>>

/** A way to a shop that can be cut: not every browser can be told to be without a connection, service worker included. */
export async function openCuttableLine(shop: string) {
  const { port, hostname } = new URL(shop)
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect({ port: Number(port), host: hostname })
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(end)
      end.pipe(other)
      end.on('error', () => other.destroy())
      end.on('close', () => {
        open.delete(end)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      for (const socket of open) socket.destroy()
    },
    mend() {
      isCut = false
    },
    async close() {
      this.cut()
      server.close()
      await once(server, 'close')
    },
  }
}
