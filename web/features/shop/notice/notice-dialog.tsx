import { shopNoticeTexts } from '../../../texts/notice.ts'
import { Dialog } from '../../../ui/dialog.tsx'

/** The operator's notice, lines and all; it is text, never markup. */
export default function NoticeDialog({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <Dialog title={shopNoticeTexts.title} onClose={onClose} done={shopNoticeTexts.understood}>
      <p className="text-large whitespace-pre-line">{text}</p>
    </Dialog>
  )
}
