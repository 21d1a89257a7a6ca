import { useState } from 'react'
import { emailProblem, normaliseEmail } from '../../../../shared/user-rules.ts'
import { parseFields, useForm } from '../../../lib/use-form.ts'
import { authTexts } from '../../../texts/auth.ts'
import { Answers } from '../../../ui/answers.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { toast } from '../../../ui/toast.ts'
import { sendResetEmail } from './api.ts'
import { FormError } from './form-error.tsx'

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
      toast.success(authTexts.resetSent)
      setSentTo(email)
    },
    onRefused: (message) => toast.danger(message),
  })
  if (sentTo) {
    return (
      <div className="flex flex-col gap-5">
        <NoticeBox tone="done" title={authTexts.resetSent}>
          {authTexts.resetSentTo(sentTo)}
        </NoticeBox>
        <Button block variant="secondary" onClick={onClose}>
          {authTexts.backToLogin}
        </Button>
      </div>
    )
  }
  return (
    <form {...form.props} className="flex flex-col gap-5">
      <Field
        {...form.field('email')}
        label={authTexts.email}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        placeholder={authTexts.emailExample}
        required
      />
      <FormError message={form.formError} />
      <Answers
        yes={{ type: 'submit', busy: form.busy, busyLabel: authTexts.sending, children: authTexts.sendResetEmail }}
        no={{ onClick: onClose }}
      />
    </form>
  )
}
