import { shopNoticeTexts } from '../../texts/notice.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** The operator's notice, lines and all; it is text, never markup. */
export default function NoticeDialog({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <Dialog
      title={shopNoticeTexts.title}
      onClose={onClose}
      footer={
        <Button block onClick={onClose}>
          {shopNoticeTexts.understood}
        </Button>
      }
    >
      <p className="text-large whitespace-pre-line">{text}</p>
    </Dialog>
  )
}
