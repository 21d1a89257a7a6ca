/** A place in the window, in pixels from its upper left corner. */
export type Point = { x: number; y: number }

/** What every browser can do, whichever protocol it is driven by. `find-in-page.ts` and `page.ts` make the rest of it. */
export type Driver = {
  /** The name and version that the browser gives itself. */
  version: string
  goto(address: string): Promise<void>
  /** Runs an expression in the page, and replies with what JSON can hold of its value. */
  evaluate<T>(expression: string): Promise<T>
  /** Presses at a place, as a finger or a mouse does. */
  press(at: Point): Promise<void>
  /** Types into what has the focus, key by key. */
  type(text: string): Promise<void>
  /** A picture of the window, as PNG. */
  picture(): Promise<Buffer>
  /** Tells the browser that it has no connection, where it can be told. */
  setOffline(isOffline: boolean): Promise<void>
  /** What the console and uncaught errors said since it was asked last. */
  takeErrors(): Promise<string[]>
  close(): Promise<void>
}

/** The window of a small phone. */
export const PHONE = { width: 360, height: 740 }
