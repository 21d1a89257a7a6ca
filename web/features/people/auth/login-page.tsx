import { useEffect, useRef, useState } from 'react'
import { Link, Redirect, useLocation, useSearch } from 'wouter'
import { normalisePhone, tenDigitsProblem } from '../../../../shared/phones.ts'
import { knownPasswordProblem } from '../../../../shared/user-rules.ts'
import { RefusedError } from '../../../lib/http.ts'
import { isInvitation, STORE, safeRedirect } from '../../../lib/redirect.ts'
import { session } from '../../../lib/session.ts'
import { parseFields, useForm } from '../../../lib/use-form.ts'
import { authTexts } from '../../../texts/auth.ts'
import { helpTexts } from '../../../texts/help.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { PhoneField } from '../../../ui/phone-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { HelpLink } from '../../shop/shop/help-link.tsx'
import { signIn } from './api.ts'
import { ForgotPassword } from './forgot-password.tsx'
import { FormError } from './form-error.tsx'

const REDIRECT_MS = 2000

export default function LoginPage() {
  const user = session.use()
  const search = useSearch()
  const [, navigate] = useLocation()
  const [forgot, setForgot] = useState(false)
  const [welcome, setWelcome] = useState(false)
  const [isBanned, setBanned] = useState(false)
  const [asksCode, setAsksCode] = useState(false)
  const justSignedIn = useRef(false)
  const [target, setTarget] = useState(() => safeRedirect(new URLSearchParams(search).get('redirect')))

  const form = useForm({
    initial: { userPhone: '', password: '', code: '' },
    draft: { form: 'login', fields: ['userPhone'] },
    parse: ({ userPhone: typed, password, code }) => {
      const userPhone = normalisePhone(typed)
      return parseFields({ userPhone: tenDigitsProblem(userPhone), password: knownPasswordProblem(password) }, () => ({
        userPhone,
        password,
        ...(code.trim() && { code: code.trim() }),
      }))
    },
    submit: async (credentials) => {
      justSignedIn.current = true
      try {
        const { user: signedIn, path } = await signIn(credentials)
        toast.success(authTexts.welcomeBack(signedIn.username))
        setTarget(safeRedirect(new URLSearchParams(search).get('redirect') ?? path))
        setWelcome(true)
      } catch (error) {
        justSignedIn.current = false
        throw error
      }
    },
    onRefused: (message, error) => {
      const why = error instanceof RefusedError ? error.code : null
      setBanned(why === 'BANNED')
      if (why === 'CODE_NEEDED') setAsksCode(true)
      // The first time it is a question, which stands above the button.
      if (why !== 'CODE_NEEDED' || asksCode) toast.danger(message)
    },
  })

  useEffect(() => {
    if (!welcome) return
    const timer = setTimeout(() => navigate(target, { replace: true }), REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [welcome, navigate, target])

  if (user && !justSignedIn.current && !welcome) return <Redirect to="/" replace />

  const refused = <FormError message={form.formError} askShop={isBanned} />
  const onward = search ? `/register?${search}` : '/register'
  return (
    <Page width="form">
      <PageHeader title={forgot ? authTexts.resetPassword : authTexts.login}>
        {forgot ? authTexts.resetIntro : isInvitation(target) ? authTexts.invited : authTexts.loginIntro}
      </PageHeader>
      <Card className="p-5 sm:p-6">
        {forgot ? (
          <ForgotPassword onClose={() => setForgot(false)} />
        ) : (
          <form {...form.props} className="flex flex-col gap-5">
            <PhoneField {...form.valueField('userPhone')} label={authTexts.phone} autoComplete="username" required />
            <PasswordField {...form.field('password')} label={authTexts.password} autoComplete="current-password" required />
            {asksCode && (
              <Field {...form.field('code')} label={authTexts.code} hint={authTexts.codeHint} autoComplete="one-time-code" autoFocus />
            )}
            {asksCode && refused}
            <Button
              type="submit"
              size="large"
              block
              busy={form.busy || welcome}
              busyLabel={!welcome ? authTexts.loggingIn : target === STORE ? authTexts.openingStore : authTexts.opening}
            >
              {authTexts.login}
            </Button>
            {/* Below what was pressed, which stays under the thumb. */}
            {!asksCode && refused}
            <button
              type="button"
              onClick={() => setForgot(true)}
              className="min-h-11 self-center px-2 font-semibold text-brand-text underline underline-offset-4"
            >
              {authTexts.forgot}
            </button>
          </form>
        )}
      </Card>
      {!forgot && (
        <p className="mt-4 text-center text-muted">
          {authTexts.newHere}{' '}
          <Link href={onward} className="inline-flex min-h-11 items-center font-semibold text-brand-text underline underline-offset-4">
            {authTexts.register}
          </Link>
        </p>
      )}
      <p className="text-center">
        <HelpLink about="sign-in" look="link">
          {helpTexts.whatsAppHelp}
        </HelpLink>
      </p>
    </Page>
  )
}
