import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { formatLongDate } from '../../../../shared/dates.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { chatLink, LINK_CODE_MINUTES, LINK_WORD } from '../../../../shared/whatsapp-rules.ts'
import { call } from '../../../lib/api.ts'
import { shopNow } from '../../../lib/clock.ts'
import { messageOf } from '../../../lib/http.ts'
import { whatsappTexts as texts } from '../../../texts/whatsapp.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { confirmAction } from '../../../ui/confirm-action.ts'
import { LoadError, NoticeBox } from '../../../ui/notice-box.tsx'
import { Card } from '../../../ui/page.tsx'
import { toast } from '../../../ui/toast.ts'
import { refreshWhatsapp, whatsappQuery } from './api.ts'

type Waiting = { code: string; number: string; expiresAt: string }

/** Connects one's own number with the shop's chat, and disconnects it. Nothing where the shop has none. */
export function WhatsappCard() {
  const [waiting, setWaiting] = useState<Waiting | null>(null)
  const [isOver, setIsOver] = useState(false)
  const [busy, setBusy] = useState(false)
  const { data, error, refetch } = useQuery(whatsappQuery(waiting !== null && !isOver))
  const linkedAt = data?.linkedAt ?? null
  const chat = useRef<HTMLAnchorElement>(null)
  // The button that was pressed is gone then.
  useEffect(() => {
    if (waiting !== null) chat.current?.focus()
  }, [waiting])

  useEffect(() => {
    if (waiting === null) return
    const timer = setTimeout(() => setIsOver(true), Math.max(0, new Date(waiting.expiresAt).getTime() - shopNow().getTime()))
    return () => clearTimeout(timer)
  }, [waiting])
  useEffect(() => {
    if (waiting === null || linkedAt === null) return
    setWaiting(null)
    toast.success(texts.done)
  }, [waiting, linkedAt])

  if (!data && error) return <LoadError what={texts.loadFailed} error={error} onRetry={() => void refetch()} />
  if (!data || (!data.isOn && linkedAt === null)) return null

  const act = async (work: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await work()
    } catch (problem) {
      toast.danger(messageOf(problem))
    } finally {
      setBusy(false)
    }
  }
  const connect = () =>
    act(async () => {
      setWaiting(await call('POST /user/me/whatsapp'))
      setIsOver(false)
    })
  const end = async () => {
    if (!(await confirmAction({ question: texts.endQuestion, yes: texts.endYes, danger: true }))) return
    await act(async () => {
      toast.success((await call('DELETE /user/me/whatsapp')).message)
      refreshWhatsapp()
    })
  }
  return (
    <Card className="p-5">
      <h2 className="text-title">{texts.title}</h2>
      <p className="mt-1 text-muted">{texts.why(spacedPhone(data.phone))}</p>
      <div className="mt-4 flex flex-col items-start gap-3">
        {waiting && !isOver ? (
          <>
            <NoticeBox>{texts.steps(waiting.code, spacedPhone(waiting.number), LINK_CODE_MINUTES)}</NoticeBox>
            <a
              ref={chat}
              className={buttonClass()}
              href={chatLink(waiting.number, `${LINK_WORD} ${waiting.code}`)}
              target="_blank"
              rel="noreferrer"
            >
              {texts.open}
            </a>
            <p role="status" className="text-muted">
              {texts.waiting}
            </p>
          </>
        ) : (
          <p className="font-semibold">{linkedAt === null ? texts.off : texts.on(formatLongDate(new Date(linkedAt)))}</p>
        )}
        {isOver && waiting && <NoticeBox tone="pending">{texts.over}</NoticeBox>}
        {data.newsStopped && <p className="text-body text-muted">{texts.stopped}</p>}
        {linkedAt === null && (!waiting || isOver) && (
          <Button variant="secondary" busy={busy} busyLabel={texts.connecting} onClick={() => void connect()}>
            {texts.connect}
          </Button>
        )}
        {linkedAt !== null && (
          <div className="flex flex-wrap gap-2">
            {data.isOn && (
              <a className={buttonClass('secondary')} href={chatLink(data.number, 'MENU')} target="_blank" rel="noreferrer">
                {texts.chat}
              </a>
            )}
            <Button variant="quiet" busy={busy} onClick={() => void end()}>
              {texts.end}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}
