import { session } from '../lib/session.ts'

/** Tells password managers whose password a form is about: people sign in by their phone number. Nobody sees it. */
export function LoginName() {
  const user = session.use()
  return <input type="tel" name="login" autoComplete="username" value={user?.phone ?? ''} readOnly hidden />
}
