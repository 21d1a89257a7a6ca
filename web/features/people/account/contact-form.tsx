import { tenDigitsProblem } from '../../../../shared/phones.ts'
import { emailProblem, knownPasswordProblem, normaliseEmail } from '../../../../shared/user-rules.ts'
import type { User } from '../../../../shared/users.ts'
import { call } from '../../../lib/api.ts'
import { updateSessionUser } from '../../../lib/session-change.ts'
import { parseFields, useForm } from '../../../lib/use-form.ts'
import { accountTexts } from '../../../texts/account.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { LoginName } from '../../../ui/login-name.tsx'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { Card } from '../../../ui/page.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { PhoneField } from '../../../ui/phone-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { refreshAccount } from './api.ts'

/** One's own e-mail address and phone number, with the password beside them. */
export function ContactForm({ user }: { user: User }) {
  const form = useForm({
    initial: { email: user.email, phone: user.phone, password: '' },
    parse: ({ email: typed, phone, password }) => {
      const email = normaliseEmail(typed)
      return parseFields({ email: emailProblem(email), phone: tenDigitsProblem(phone), password: knownPasswordProblem(password) }, () => ({
        email,
        phone,
        password,
      }))
    },
    submit: async (body) => {
      if (body.email === user.email && body.phone === user.phone) {
        toast.danger(accountTexts.nothingChanged)
        return
      }
      updateSessionUser((await call('PUT /user/me/contact', { body })).user)
      form.setValue('password', '')
      toast.success(accountTexts.contactSaved)
      refreshAccount()
    },
  })
  return (
    <Card className="p-5">
      <h2 className="text-title">{accountTexts.contact}</h2>
      <p className="mt-1 text-muted">{accountTexts.contactHint}</p>
      <form {...form.props} className="mt-4 flex flex-col gap-4">
        <LoginName />
        <Field {...form.field('email')} label={accountTexts.email} type="email" autoComplete="email" />
        <PhoneField {...form.phoneField('phone')} label={accountTexts.phone} autoComplete="tel" />
        <PasswordField {...form.field('password')} label={accountTexts.currentPassword} autoComplete="current-password" />
        <Button type="submit" variant="secondary" busy={form.busy} busyLabel={accountTexts.saving} className="self-start">
          {accountTexts.saveContact}
        </Button>
        {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
      </form>
    </Card>
  )
}
