import { messageOf } from '../../../../lib/http.ts'
import { subAgentTexts as texts } from '../../../../texts/sub-agents.ts'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import { useLeave } from './api.ts'

/** In My shop, whose sub-agent one is, and the way out. */
export function AgentAbove({ agent: { username, shop } }: { agent: { username: string; shop: string } }) {
  const leave = useLeave()
  const ask = async () => {
    const question = texts.leaveQuestion(username)
    if (!(await confirmAction({ question, details: texts.leaveDetails, yes: texts.leave, danger: true }))) return
    try {
      toast.success(await leave.mutateAsync())
    } catch (error) {
      toast.danger(messageOf(error))
    }
  }
  return (
    <NoticeBox
      title={texts.under(username)}
      className="mb-5 break-words"
      action={
        <Button variant="danger" busy={leave.isPending} onClick={() => void ask()}>
          {texts.leave}
        </Button>
      }
    >
      <p>{texts.underText(shop)}</p>
    </NoticeBox>
  )
}
