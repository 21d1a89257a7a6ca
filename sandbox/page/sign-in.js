// @ts-check
const news = /** @type {HTMLElement} */ (document.getElementById('news'))

/** The shop keeps its session on this origin, so an admin who is signed in there does not sign in twice. */
function tokenOfShop() {
  try {
    return JSON.parse(localStorage.getItem('userInfo') ?? 'null')?.token ?? null
  } catch {
    return null
  }
}

const token = tokenOfShop()
if (token) {
  const reply = await fetch('/api/sandbox/visit', { method: 'POST', headers: { authorization: `Bearer ${token}` } }).catch(() => null)
  // Without the cookie a reload would only lead back here.
  const mayLook = reply?.ok && (await fetch('/api/sandbox/state').catch(() => null))?.ok
  if (mayLook) void location.reload()
  else if (reply?.ok) news.textContent = 'Your browser refused our cookie. Allow cookies for this site and reload this page.'
  else if (reply)
    news.textContent = 'Only the shop’s admin can look in here. You are signed in as somebody else: sign out, then sign in as the admin.'
  else news.textContent = 'We could not reach the shop. Check your connection and reload this page.'
} else news.textContent = 'Only the shop’s admin can look in here. Sign in, then open this page again.'

export {}
