import { createStore } from '../lib/store.ts'
import { overlaysWanted } from './overlays-wanted.ts'

type Tone = 'success' | 'danger' | 'info'
export type Toast = { id: number; tone: Tone; message: string }

export const toasts = createStore<readonly Toast[]>([])
let nextId = 1

export const toast = {
  success: (message: string) => show('success', message),
  danger: (message: string) => show('danger', message),
  info: (message: string) => show('info', message),
}

export function dismissToast(id: number): void {
  toasts.set(toasts.get().filter((one) => one.id !== id))
}

function show(tone: Tone, message: string): number {
  // For example a reply for a user who has signed out.
  if (message === '') return 0
  // What went wrong before something went well is over.
  const others = toasts.get().filter((one) => one.message !== message && (tone !== 'success' || one.tone !== 'danger'))
  overlaysWanted.set(true)
  toasts.set([...others, { id: nextId++, tone, message }].slice(-3))
  return nextId - 1
}
