import { mobilePhoneProblem } from '../../../../shared/phones.ts'
import { emailProblem, normaliseEmail, normaliseUsername, passwordProblem, usernameProblem } from '../../../../shared/user-rules.ts'
import { parseFields } from '../../../lib/use-form.ts'
import { authTexts } from '../../../texts/auth.ts'

type Registration = { username: string; phone: string; email: string; password: string; confirmPassword: string }

/** The registration form: the request and the repeated password. */
export function parseRegistration({ phone, password, confirmPassword, ...typed }: Registration) {
  const username = normaliseUsername(typed.username)
  const email = normaliseEmail(typed.email)
  const problems = {
    username: usernameProblem(username),
    phone: mobilePhoneProblem(phone),
    email: emailProblem(email),
    password: passwordProblem(password),
    confirmPassword: passwordProblem(confirmPassword) ?? (password === confirmPassword ? null : authTexts.mismatch),
  }
  return parseFields(problems, () => ({ username, email, phone, password }))
}
