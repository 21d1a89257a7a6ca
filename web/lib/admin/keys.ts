import { createStored } from '../stored.ts'

/** Single letters get in the way of voice control and of some hands, so they can be switched off. */
export const keysOn = createStored<boolean>('adminOrderKeys', true, (value) => typeof value === 'boolean')

/** Whether letters are text where the focus is. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type)
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}
