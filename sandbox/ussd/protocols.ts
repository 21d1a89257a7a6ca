/** What a gateway knows of one turn. `turn` counts from 1. */
export type Turn = { session: string; phone: string; text: string; turn: number; kind: 'first' | 'next' | 'over' }
/** What it reads from the shop's reply: null where the reply is none of its own. */
export type Answer = { message: string; goesOn: boolean }

type Protocol = { asRequest: (turn: Turn) => object; readReply: (reply: Record<string, unknown>) => Answer | null }

const international = (phone: string) => `233${phone.slice(1)}`

/** The gateways' forms as they send and expect them. Hubtel alone says that a customer has hung up. */
export const PROTOCOLS = {
  arkesel: {
    asRequest: ({ session, phone, text, kind }) => ({
      sessionID: session,
      userID: 'USSD_DWADI',
      newSession: kind === 'first',
      msisdn: international(phone),
      userData: text,
      network: 'MTN',
    }),
    readReply: ({ message, continueSession }) =>
      typeof message === 'string' && typeof continueSession === 'boolean' ? { message, goesOn: continueSession } : null,
  },
  nalo: {
    asRequest: ({ session, phone, text, kind }) => ({
      USERID: 'NALO_DWADI',
      MSISDN: international(phone),
      USERDATA: text,
      MSGTYPE: kind === 'first',
      NETWORK: 'MTN',
      SESSIONID: session,
    }),
    readReply: ({ MSG, MSGTYPE }) => (typeof MSG === 'string' && typeof MSGTYPE === 'boolean' ? { message: MSG, goesOn: MSGTYPE } : null),
  },
  hubtel: {
    asRequest: ({ session, phone, text, turn, kind }) => ({
      Type: { first: 'Initiation', next: 'Response', over: 'Release' }[kind],
      Mobile: international(phone),
      SessionId: session,
      ServiceCode: '928',
      Message: text,
      Operator: 'mtn',
      Sequence: turn,
      ClientState: '',
    }),
    readReply: ({ Type, Message }) =>
      (Type === 'response' || Type === 'release') && typeof Message === 'string' ? { message: Message, goesOn: Type === 'response' } : null,
  },
} satisfies Record<string, Protocol>

export type UssdProtocol = keyof typeof PROTOCOLS
export const USSD_PROTOCOLS = Object.keys(PROTOCOLS) as UssdProtocol[]
