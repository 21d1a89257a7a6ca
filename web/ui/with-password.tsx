import { call } from '../lib/api.ts'
import { messageOf, RefusedError } from '../lib/http.ts'
import { accountTexts } from '../texts/account.ts'
import { confirmAction, pendingQuestions } from './confirm-action.ts'
import { PasswordField } from './password-field.tsx'
import { toast } from './toast.ts'

/**
 * Does what may ask for the password again: if the shop wants it, asks in a dialog and does it once more. Whoever presses Cancel
 * gets the shop's refusal.
 */
export async function withPassword<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (refused) {
    if (!(refused instanceof RefusedError && refused.code === 'PASSWORD_NEEDED')) throw refused
    if (!(await giveUntilRight())) throw refused
    return act()
  }
}

async function giveUntilRight(): Promise<boolean> {
  for (;;) {
    const typed = { password: '' }
    const yes = await confirmAction({
      question: accountTexts.passwordAgain,
      title: accountTexts.yourPassword,
      yes: accountTexts.goOn,
      details: <TypedPassword onType={(password) => Object.assign(typed, { password })} />,
    })
    if (!yes) return false
    try {
      await call('POST /user/me/confirm-password', { body: typed })
      return true
    } catch (error) {
      toast.danger(messageOf(error))
    }
  }
}

function TypedPassword({ onType }: { onType: (password: string) => void }) {
  return (
    <PasswordField
      label={accountTexts.password}
      autoComplete="current-password"
      autoFocus
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') pendingQuestions.get().at(-1)?.answer(true)
      }}
    />
  )
}
