import type { ReactNode } from 'react'
import { createStore } from '../lib/store.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

export type Question = {
  /** The question itself, in the words of the specification. */
  question: string
  title?: string
  details?: ReactNode
  yes?: string
  no?: string
  /** Marks an answer that takes something away. */
  danger?: boolean
}

type Pending = Question & { id: number; answer: (yes: boolean) => void }

const questions = createStore<readonly Pending[]>([])
let nextId = 1

/** Asks in a dialog of our own; true when the answer was yes. */
export function confirmAction(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const id = nextId++
    const answer = (yes: boolean) => {
      questions.set(questions.get().filter((other) => other.id !== id))
      resolve(yes)
    }
    questions.set([...questions.get(), { ...question, id, answer }])
  })
}

export function ConfirmDialogs() {
  const pending = questions.use()[0]
  if (!pending) return null
  const { id, question, title = 'Please confirm', details, yes = 'Yes', no = 'No', danger, answer } = pending
  return (
    <Dialog
      key={id}
      role="alertdialog"
      title={title}
      onClose={() => answer(false)}
      footer={
        <>
          <Button block variant={danger ? 'danger' : 'primary'} onClick={() => answer(true)}>
            {yes}
          </Button>
          <Button block variant="secondary" onClick={() => answer(false)}>
            {no}
          </Button>
        </>
      }
    >
      <p className="text-large">{question}</p>
      {details && <div className="mt-4">{details}</div>}
    </Dialog>
  )
}
