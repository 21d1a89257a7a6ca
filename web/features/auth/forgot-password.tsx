import { useState } from 'react'
import { emailProblem, normaliseEmail } from '../../../shared/user-rules.ts'
import { parseFields, useForm } from '../../lib/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { NoticeBox } from '../../ui/notice-box.tsx'
import { toast } from '../../ui/toast.ts'
import { sendResetEmail } from './api.ts'
import { FormError } from './form-error.tsx'

const SENT = 'Password reset email sent. Please check your inbox.'

export function ForgotPassword({ onClose }: { onClose: () => void }) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useForm({
    initial: { email: '' },
    draft: { form: 'forgot-password', fields: ['email'] },
    parse: ({ email: typed }) => {
      const email = normaliseEmail(typed)
      return parseFields({ email: emailProblem(email) }, () => ({ email }))
    },
    submit: async ({ email }) => {
      await sendResetEmail(email)
      toast.success(SENT)
      setSentTo(email)
    },
    onRefused: (message) => toast.danger(message),
  })
  if (sentTo) {
    return (
      <div className="flex flex-col gap-5">
        <NoticeBox tone="done" title={SENT}>
          If {sentTo} has an account with us, your link is on its way. Check your spam folder too.
        </NoticeBox>
        <Button block variant="secondary" onClick={onClose}>
          Back to login
        </Button>
      </div>
    )
  }
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <Field
        {...form.field('email')}
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        placeholder="ama@example.com"
        required
      />
      <FormError message={form.formError} />
      <Button type="submit" size="large" block busy={form.busy} busyLabel="Sending…">
        Send Reset Email
      </Button>
      <Button block variant="secondary" onClick={onClose}>
        Cancel
      </Button>
    </form>
  )
}
