import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** The operator's notice, lines and all; it is text, never markup. */
export default function NoticeDialog({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <Dialog
      title="PLEASE NOTE"
      onClose={onClose}
      footer={
        <Button block onClick={onClose}>
          I understand
        </Button>
      }
    >
      <p className="text-large whitespace-pre-line">{text}</p>
    </Dialog>
  )
}
