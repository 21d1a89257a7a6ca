import { useEffect, useRef, useState } from 'react'
import { Link, Redirect, useLocation, useSearch } from 'wouter'
import { PASSWORD_MIN } from '../../../../shared/user-rules.ts'
import type { RegisterRequest } from '../../../../shared/users.ts'
import { RefusedError } from '../../../lib/http.ts'
import { isInvitation, safeRedirect } from '../../../lib/redirect.ts'
import { session } from '../../../lib/session.ts'
import { useForm } from '../../../lib/use-form.ts'
import { authTexts } from '../../../texts/auth.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { PhoneField } from '../../../ui/phone-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { register } from './api.ts'
import { FormError } from './form-error.tsx'
import { parseRegistration } from './parse-registration.ts'
import { TakenNumber } from './taken-number.tsx'

export default function RegisterPage() {
  const user = session.use()
  const search = useSearch()
  const [, navigate] = useLocation()
  const [done, setDone] = useState(false)
  const [taken, setTaken] = useState<string | null>(null)
  const justRegistered = useRef(false)
  const query = new URLSearchParams(search)
  const target = safeRedirect(query.get('redirect'))
  const invitation = query.get('by')?.slice(0, 20)

  const enter = async (account: RegisterRequest) => {
    justRegistered.current = true
    try {
      const registered = await register(account)
      toast.success(authTexts.welcome(registered.username))
      setDone(true)
    } catch (error) {
      justRegistered.current = false
      throw error
    }
  }

  const form = useForm({
    initial: { username: '', phone: '', email: '', password: '', confirmPassword: '' },
    draft: { form: 'register', fields: ['username', 'phone', 'email'] },
    parse: parseRegistration,
    submit: (account) => enter({ ...account, invitation }),
    onInvalid: (errors, values) => {
      // The fields say it too, and go on saying it once the toast is gone.
      const alert = alertFor(errors, values)
      if (alert) toast.danger(alert)
    },
    onRefused: (message, error) => {
      if (error instanceof RefusedError && error.code === 'TAKEN' && error.issues[0]?.path === 'phone') setTaken(form.values.phone)
      form.setFormError(message)
      toast.danger(message)
    },
  })

  useEffect(() => {
    if (done) navigate(target, { replace: true })
  }, [done, navigate, target])

  if (user && !justRegistered.current && !done) return <Redirect to={target} replace />

  return (
    <Page width="form">
      <PageHeader title={authTexts.register}>{isInvitation(target) ? authTexts.invitedNew : authTexts.registerIntro}</PageHeader>
      <Card className="p-5 sm:p-6">
        <form {...form.props} className="flex flex-col gap-5">
          <Field
            {...form.field('username')}
            label={authTexts.username}
            autoComplete="nickname"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            maxLength={40}
            required
          />
          <PhoneField {...form.valueField('phone')} label={authTexts.phone} autoComplete="username" required />
          {taken !== null && taken === form.values.phone && (
            <TakenNumber
              phone={taken}
              read={() => {
                const parsed = parseRegistration(form.values)
                if ('output' in parsed) return { ...parsed.output, invitation }
                void form.send()
                return null
              }}
              register={async (account) => {
                await enter(account)
                form.reset()
              }}
            />
          )}
          <Field
            {...form.field('email')}
            label={authTexts.email}
            type="email"
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
            required
          />
          <PasswordField
            {...form.field('password')}
            label={authTexts.password}
            autoComplete="new-password"
            hint={authTexts.passwordHint(PASSWORD_MIN)}
            required
          />
          <PasswordField {...form.field('confirmPassword')} label={authTexts.confirmPassword} autoComplete="new-password" required />
          <FormError message={form.formError} />
          <Button type="submit" size="large" block busy={form.busy || done} busyLabel={authTexts.creatingAccount}>
            {authTexts.register}
          </Button>
        </form>
      </Card>
      <p className="mt-5 text-center text-body text-muted">
        {authTexts.alreadyRegistered}{' '}
        <Link
          href={search ? `/login?${search}` : '/login'}
          className="inline-flex min-h-11 items-center font-semibold text-brand-text underline underline-offset-4"
        >
          {authTexts.login}
        </Link>
      </p>
    </Page>
  )
}

/** The errors shown as an alert. All others only appear beside their field. */
function alertFor(
  errors: { confirmPassword?: string },
  { username, email, password }: { username: string; email: string; password: string },
): string | null {
  if (!username.trim() || !email.trim() || !password) return authTexts.allRequired
  return errors.confirmPassword === authTexts.mismatch ? authTexts.mismatch : null
}
