/** One's own account: password, e-mail, phone, and where one is signed in. */
export const accountTexts = {
  title: 'My Account',
  loadFailed: 'Your account',
  loading: 'Loading your account…',

  yourPassword: 'Your password',
  passwordAgain: 'Enter your password again to go on.',
  password: 'Password',
  goOn: 'Go on',

  changePassword: 'Password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  repeatPassword: 'New password again',
  savePassword: 'Change Password',
  saving: 'Saving…',
  endKeys: (count: number) => (count === 1 ? 'End my API key too' : `End my ${count} API keys too`),
  othersSignOut: 'Your other devices are signed out.',

  contact: 'Email and phone',
  contactHint: 'You log in with this phone number. We tell your old email address about a change.',
  email: 'Email',
  phone: 'Phone number',
  saveContact: 'Save Changes',
  contactSaved: 'Your details were saved.',
  nothingChanged: 'Nothing was changed.',

  sessions: 'Where you are signed in',
  thisDevice: 'This device',
  unknownDevice: 'A device',
  lastUsed: (time: string) => `Last used ${time}`,
  signOut: 'Sign out',
  signOutOthers: 'Sign out everywhere else',
  askSignOut: (device: string) => `Sign out ${device}?`,
  askSignOutOthers: 'Sign out every other device?',
}
