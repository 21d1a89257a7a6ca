import { useState } from 'react'
import { PASSWORD_MIN, passwordProblem } from '../../../shared/user-rules.ts'
import { RefusedError } from '../../lib/http.ts'
import { parseFields, useForm } from '../../lib/use-form.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { NoticeBox } from '../../ui/notice-box.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { toast } from '../../ui/toast.ts'
import { resetPassword } from './api.ts'
import { FormError } from './form-error.tsx'

const MISMATCH = 'Passwords do not match'

export default function ResetPasswordPage({ token }: { token: string }) {
  const [message, setMessage] = useState<string | null>(null)
  const form = useForm({
    initial: { password: '', confirmPassword: '' },
    parse: ({ password, confirmPassword }) => {
      const isRepeated = password === confirmPassword
      const confirmProblem = confirmPassword === '' ? 'Enter the password again.' : isRepeated ? null : MISMATCH
      return parseFields({ password: passwordProblem(password), confirmPassword: confirmProblem }, () => ({ password }))
    },
    submit: async (values) => {
      const reply = await resetPassword(token, values.password)
      toast.success(reply.message)
      setMessage(reply.message)
    },
    onInvalid: (errors) => {
      if (errors.confirmPassword === MISMATCH) toast.danger(MISMATCH)
    },
    onRefused: (reason, error) => {
      toast.danger('Error resetting password')
      form.setFormError(error instanceof RefusedError ? `Error resetting password. ${reason}` : reason)
    },
  })
  return (
    <Page width="form">
      <PageHeader title="Reset Password">Choose a new password for your account.</PageHeader>
      <Card className="p-5 sm:p-6">
        {message ? (
          <div className="flex flex-col gap-5">
            <NoticeBox tone="done">{message}</NoticeBox>
            <ButtonLink block size="large" href="/login">
              Login
            </ButtonLink>
          </div>
        ) : (
          <form {...form.props} className="flex flex-col gap-5">
            <PasswordField
              {...form.field('password')}
              label="New Password"
              autoComplete="new-password"
              hint={`At least ${PASSWORD_MIN} characters`}
              required
            />
            <PasswordField {...form.field('confirmPassword')} label="Confirm Password" autoComplete="new-password" required />
            <FormError message={form.formError} />
            <Button type="submit" size="large" block busy={form.busy} busyLabel="Saving…">
              Reset Password
            </Button>
          </form>
        )}
      </Card>
    </Page>
  )
}
