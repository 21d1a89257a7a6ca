// breaks: sandbox-only-from-open-shop
export const outbox = () => import('../../../../sandbox/mail.ts')
