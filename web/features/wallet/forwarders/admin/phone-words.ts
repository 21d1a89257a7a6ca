import type { ForwardedMessage, ForwarderApp } from '../../../../../shared/forwarders.ts'

/** What the apps are called, and how they are set up. `{url}` and `{key}` are the phone's own. */
export const APP_WORDS: Record<ForwarderApp, { name: string; hint: string; steps: readonly string[] }> = {
  'sms-gateway': {
    name: 'SMS Gateway for Android',
    hint: 'The best choice: it signs every message.',
    steps: [
      'Install “SMS Gateway for Android” on the phone with the mobile-money SIM, and allow it to read SMS.',
      'In its settings, under Webhooks, set the signing key to the key below.',
      'Add a webhook for the event sms:received with the address below, and one for system:ping.',
      'Switch the ping on, every 15 minutes, so that we notice when the phone is off.',
      'Turn RCS chats off in Google Messages, and battery saving off for the app.',
    ],
  },
  'sms-to-url': {
    name: 'Incoming SMS to URL',
    hint: 'It can’t sign. It brings the key in a header.',
    steps: [
      'Install “Incoming SMS to URL forwarder” on the phone, and allow it to read SMS.',
      'Add a rule for the sender MobileMoney (for Telecel: T-CASH) with the address below.',
      'As headers enter: {"X-Forwarder-Key": "the key below"}',
      'Leave the JSON template as it is, and switch “Ignore SSL errors” off.',
    ],
  },
  'sms-forwarder': {
    name: 'SmsForwarder',
    hint: 'Its sign does not cover the text. It brings the key in a header.',
    steps: [
      'Install SmsForwarder on the phone, and add a sender of the kind Webhook, method POST.',
      'Enter the address below, and the header X-Forwarder-Key with the key below.',
      'Add a rule that sends messages from MobileMoney (for Telecel: T-CASH) there.',
    ],
  },
  other: {
    name: 'Another app',
    hint: 'Any that can post JSON with a header.',
    steps: [
      'Let it post {"sender": "MobileMoney", "text": "the message"} to the address below as JSON.',
      'Send the header X-Forwarder-Key with the key below.',
      'Now and then post {"ping": 1, "battery": 80}, so that we notice when the phone is off.',
    ],
  },
}

export const OUTCOME_WORDS: Record<ForwardedMessage['outcome'], string> = {
  payment: 'Payment',
  known: 'Known already',
  'not-counted': 'Not a payment to you',
  fake: 'Fake',
}
