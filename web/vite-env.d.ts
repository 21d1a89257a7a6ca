/// <reference types="vite/client" />

interface Window {
  /** False where storage is forbidden, or where this tab keeps what the browser did not take; by the early script. */
  canStore?: boolean
  /** Buttons that were pressed before the code was there; noted by the early script of server/platform/http/pages.ts. */
  pressed?: Set<HTMLButtonElement> | undefined
  /** By how many milliseconds the shop's clock is ahead: by the same script, then web/lib/clock.ts. */
  ahead?: number | undefined
}

/** The address of the file that old browsers load before the app. */
declare const __OLD_BROWSERS__: string
