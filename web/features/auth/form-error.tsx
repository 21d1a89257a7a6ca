import { NoticeBox } from '../../ui/notice-box.tsx'

/** What is wrong with a form as a whole. */
export function FormError({ message }: { message: string | null }) {
  return message ? <NoticeBox tone="danger">{message}</NoticeBox> : null
}
