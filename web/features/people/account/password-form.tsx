import { useState } from 'react'
import { knownPasswordProblem, PASSWORD_MIN, passwordProblem } from '../../../../shared/user-rules.ts'
import { call } from '../../../lib/api.ts'
import { parseFields, useForm } from '../../../lib/use-form.ts'
import { accountTexts } from '../../../texts/account.ts'
import { authTexts } from '../../../texts/auth.ts'
import { Button } from '../../../ui/button.tsx'
import { LoginName } from '../../../ui/login-name.tsx'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { Card } from '../../../ui/page.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { refreshAccount } from './api.ts'

/** A new password, which signs every other device out. */
export function PasswordForm({ workingKeys }: { workingKeys: number }) {
  const [endKeys, setEndKeys] = useState(false)
  const form = useForm({
    initial: { current: '', newPassword: '', repeated: '' },
    parse: ({ current, newPassword, repeated }) =>
      parseFields(
        {
          current: knownPasswordProblem(current),
          newPassword: passwordProblem(newPassword),
          repeated: newPassword === repeated ? null : authTexts.mismatch,
        },
        () => ({ password: current, newPassword }),
      ),
    fieldAt: (path) => (path === 'password' ? 'current' : path),
    submit: async (body) => {
      const { message } = await call('PUT /user/me/password', { body: { ...body, endKeys } })
      toast.success(message)
      form.reset()
      refreshAccount()
    },
  })
  return (
    <Card className="p-5">
      <h2 className="text-title">{accountTexts.changePassword}</h2>
      <form {...form.props} className="mt-4 flex flex-col gap-4">
        <LoginName />
        <PasswordField {...form.field('current')} label={accountTexts.currentPassword} autoComplete="current-password" />
        <PasswordField
          {...form.field('newPassword')}
          label={accountTexts.newPassword}
          hint={`${authTexts.passwordHint(PASSWORD_MIN)}. ${accountTexts.othersSignOut}`}
          autoComplete="new-password"
        />
        <PasswordField {...form.field('repeated')} label={accountTexts.repeatPassword} autoComplete="new-password" />
        {workingKeys > 0 && (
          <label className="flex min-h-11 cursor-pointer items-center gap-3">
            <input
              type="checkbox"
              checked={endKeys}
              onChange={(event) => setEndKeys(event.currentTarget.checked)}
              className="size-5 shrink-0 accent-brand"
            />
            {accountTexts.endKeys(workingKeys)}
          </label>
        )}
        <Button type="submit" variant="secondary" busy={form.busy} busyLabel={accountTexts.saving} className="self-start">
          {accountTexts.savePassword}
        </Button>
        {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
      </form>
    </Card>
  )
}
