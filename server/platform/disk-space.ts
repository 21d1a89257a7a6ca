import { statfs } from 'node:fs/promises'
import { raiseAlarm } from './alarms.ts'
import type { Log } from './log.ts'

const LOOK_EVERY_MS = 5_000
const REPEAT_ALARM_MS = 10 * 60_000
/** Enough again, so that a disk that is just at the limit does not raise one alarm after the other. */
const ENOUGH = 1.1
const MB = 1_000_000
/** PostgreSQL asks for no less at a time once tables grow under load. */
const FULL_BYTES = MB

export type DiskSpace = {
  /** Megabytes that were free at the last look, and since when they have been fewer than the owner wants; null while there is enough. */
  low(): { freeMb: number; since: Date } | null
  /** Looks now. @returns bytes that the database may still use; null when the disk does not say. */
  freeBytes(): Promise<number | null>
  /** Looks now: the database can write nothing more. */
  isFull(): Promise<boolean>
  stop(): void
}

/**
 * Watches the disk of the data folder. While less than `lowMb` megabytes (of a million bytes) are free it raises the alarm `disk-low`, every
 * ten minutes, by itself: on a full disk no job of the database's queue would.
 */
export async function watchDiskSpace({ folder, lowMb, log }: { folder: string; lowMb: number; log: Log }): Promise<DiskSpace> {
  let low: { freeMb: number; since: Date } | null = null
  let toldAt = Number.NEGATIVE_INFINITY

  async function freeBytes() {
    // What is kept for root is of no use to the database, which runs as somebody else.
    return statfs(folder).then(
      ({ bavail, bsize }) => bavail * bsize,
      (error: unknown) => {
        log.warn({ err: error, folder }, 'the disk does not say how much is free')
        return null
      },
    )
  }

  async function look() {
    const bytes = await freeBytes()
    if (bytes === null) return
    const freeMb = Math.floor(bytes / MB)
    if (freeMb >= lowMb * (low ? ENOUGH : 1)) {
      if (low) log.info({ freeMb }, 'there is space on the disk again')
      low = null
      return
    }
    low = { freeMb, since: low?.since ?? new Date() }
    if (performance.now() - toldAt < REPEAT_ALARM_MS) return
    toldAt = performance.now()
    raiseAlarm(log, 'disk-low', { freeMb, lowMb, folder })
  }

  await look()
  const timer = setInterval(() => void look(), LOOK_EVERY_MS).unref()
  return {
    low: () => low,
    freeBytes,
    isFull: async () => ((await freeBytes()) ?? Number.POSITIVE_INFINITY) < FULL_BYTES,
    stop: () => clearInterval(timer),
  }
}
