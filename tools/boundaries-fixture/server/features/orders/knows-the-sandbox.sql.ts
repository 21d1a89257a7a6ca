// breaks: sandbox-only-from-main
export const outbox = () => import('../../../sandbox/mail.ts')
