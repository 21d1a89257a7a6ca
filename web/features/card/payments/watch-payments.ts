import { askAboutWaiting, closedPayments, refreshWaitingPayments, waitingPayments } from './waiting-payments.ts'

const POLL_MS = 15_000

/** Follows the signed-in user's open card payments until each has an outcome; returns how to stop. */
export function watchPayments(): () => void {
  const look = () => {
    if (document.visibilityState === 'visible')
      void refreshWaitingPayments().then(() => askAboutWaiting([...waitingPayments(), ...closedPayments()]))
  }
  // Announcements arrive at once. Polling finds payments closed without one, or while the socket is down.
  const poll = setInterval(() => {
    if (document.visibilityState === 'visible' && waitingPayments().length > 0) void refreshWaitingPayments()
  }, POLL_MS)
  look()
  document.addEventListener('visibilitychange', look)
  window.addEventListener('online', look)
  return () => {
    clearInterval(poll)
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('online', look)
  }
}
