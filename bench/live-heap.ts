import type { OpenShop } from '../test/process/open-shops.ts'

/** What `openShop` needs for its process to be asked for its live heap. */
export const INSPECTED = '--inspect=127.0.0.1:0'

export type LiveHeap = { readMb(): Promise<number>; close(): void }

/** Asks a shop that was started with `INSPECTED` what its objects take in MB, after a collection of all that nobody holds. */
export async function openLiveHeap({ program }: OpenShop): Promise<LiveHeap> {
  const [, url = ''] = await program.prints(/Debugger listening on (ws:\S+)/)
  const socket = new WebSocket(url)
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve()
    socket.onerror = () => reject(new Error(`no answer at ${url}`))
  })
  const waiting = new Map<number, (result: { usedSize?: number }) => void>()
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    waiting.get(id)?.(result)
    waiting.delete(id)
  }
  let asked = 0
  const ask = (method: string) =>
    new Promise<{ usedSize?: number }>((resolve) => {
      asked += 1
      waiting.set(asked, resolve)
      socket.send(JSON.stringify({ id: asked, method }))
    })
  return {
    async readMb() {
      // What only a finalizer holds goes with the second.
      await ask('HeapProfiler.collectGarbage')
      await ask('HeapProfiler.collectGarbage')
      return ((await ask('Runtime.getHeapUsage')).usedSize ?? Number.NaN) / 1_048_576
    },
    close: () => socket.close(),
  }
}
