export default function BecomeAgentDialog({ onClose }: { onClose: () => void }) {
  return <button type="button" onClick={onClose} />
}
