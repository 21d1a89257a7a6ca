import type { ReactNode } from 'react'
import { wipeAtSignOut } from '../lib/session.ts'
import { createStore } from '../lib/store.ts'
import type { Subject } from '../lib/subject.ts'
import { overlaysWanted } from './overlays-wanted.ts'

export type Question = {
  /** The question itself, in the words of the specification. */
  question: string
  title?: string
  details?: ReactNode
  yes?: string
  /** The price, on the stub of yes. */
  stub?: ReactNode
  no?: string
  /** Marks an answer that takes something away. */
  danger?: boolean
  /** Makes no the button that stands out. */
  cautious?: boolean
  /** What it asks about. Once that has changed, it can't be answered with yes any more and says what has changed. */
  about?: Subject
}

export type PendingQuestion = Question & { id: number; answer: (yes: boolean) => void }

export const pendingQuestions = createStore<readonly PendingQuestion[]>([])
let nextId = 1

// A sign-out answers open questions with no.
wipeAtSignOut(() => {
  for (const { answer } of pendingQuestions.get()) answer(false)
})

/** Asks in a dialog; true when the answer was yes. A question that is already open, as after a double press, is not asked again. */
export function confirmAction(question: Question): Promise<boolean> {
  if (pendingQuestions.get().some((other) => other.question === question.question)) return Promise.resolve(false)
  return new Promise((resolve) => {
    const id = nextId++
    const answer = (yes: boolean) => {
      pendingQuestions.set(pendingQuestions.get().filter((other) => other.id !== id))
      resolve(yes)
    }
    overlaysWanted.set(true)
    pendingQuestions.set([...pendingQuestions.get(), { ...question, id, answer }])
  })
}
