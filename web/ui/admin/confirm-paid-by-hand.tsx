import type { ReactNode } from 'react'
import type { Subject } from '../../lib/subject.ts'
import { confirmAction } from '../confirm-action.ts'
import { Field } from '../field.tsx'

type Asked = { question: string; title: string; details: ReactNode; hint: string; about: Subject }

/** Asks for the network's transaction of a payment that was made from a phone. Returns it, or null when nothing is to be noted. */
export async function confirmPaidByHand({ about, question, title, details, hint }: Asked): Promise<string | null> {
  let transactionId = ''
  const yes = await confirmAction({
    about,
    question,
    title,
    details: (
      <>
        {details}
        <Field
          label="Transaction id"
          name="transactionId"
          autoComplete="off"
          maxLength={40}
          hint={hint}
          className="mt-4"
          onChange={(event) => {
            transactionId = event.currentTarget.value.trim()
          }}
        />
      </>
    ),
    yes: 'Yes, paid',
  })
  return yes ? transactionId : null
}
