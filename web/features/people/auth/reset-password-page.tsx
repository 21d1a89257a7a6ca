import { useState } from 'react'
import { PASSWORD_MIN, passwordProblem } from '../../../../shared/user-rules.ts'
import { RefusedError } from '../../../lib/http.ts'
import { parseFields, useForm } from '../../../lib/use-form.ts'
import { authTexts } from '../../../texts/auth.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { keepPassword, resetPassword } from './api.ts'
import { FormError } from './form-error.tsx'

export default function ResetPasswordPage({ token }: { token: string }) {
  const [message, setMessage] = useState<string | null>(null)
  const [keeps, setKeeps] = useState(false)
  const form = useForm({
    initial: { password: '', confirmPassword: '' },
    parse: ({ password, confirmPassword }) => {
      const isRepeated = password === confirmPassword
      const confirmProblem = confirmPassword === '' ? authTexts.enterAgain : isRepeated ? null : authTexts.mismatch
      return parseFields({ password: passwordProblem(password), confirmPassword: confirmProblem }, () => ({ password }))
    },
    submit: async (values) => {
      const reply = await resetPassword(token, values.password)
      toast.success(reply.message)
      setMessage(reply.message)
    },
    onInvalid: (errors) => {
      if (errors.confirmPassword === authTexts.mismatch) toast.danger(authTexts.mismatch)
    },
    onRefused: (reason, error) => {
      toast.danger(authTexts.resetFailed)
      form.setFormError(error instanceof RefusedError ? authTexts.resetFailedBecause(reason) : reason)
    },
  })
  const keep = async () => {
    setKeeps(true)
    try {
      setMessage((await keepPassword(token)).message)
    } catch (error) {
      form.setFormError(error instanceof Error ? error.message : authTexts.resetFailed)
    } finally {
      setKeeps(false)
    }
  }
  return (
    <Page width="form">
      <PageHeader title={authTexts.resetPassword}>{authTexts.newPasswordIntro}</PageHeader>
      <Card className="p-5 sm:p-6">
        {message ? (
          <div className="flex flex-col gap-5">
            <NoticeBox tone="done">{message}</NoticeBox>
            <ButtonLink block size="large" href="/login">
              {authTexts.login}
            </ButtonLink>
          </div>
        ) : (
          <form {...form.props} className="flex flex-col gap-5">
            <PasswordField
              {...form.field('password')}
              label={authTexts.newPassword}
              autoComplete="new-password"
              hint={authTexts.passwordHint(PASSWORD_MIN)}
              required
            />
            <PasswordField {...form.field('confirmPassword')} label={authTexts.confirmNewPassword} autoComplete="new-password" required />
            <FormError message={form.formError} />
            <Button type="submit" size="large" block busy={form.busy} busyLabel={authTexts.saving}>
              {authTexts.resetPassword}
            </Button>
            <div className="flex flex-col gap-2">
              <p className="text-muted">{authTexts.keepPasswordHint}</p>
              <Button block variant="secondary" busy={keeps} busyLabel={authTexts.saving} onClick={keep}>
                {authTexts.keepPassword}
              </Button>
            </div>
          </form>
        )}
      </Card>
    </Page>
  )
}
