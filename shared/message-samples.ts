/**
 * Messages of each form that came with the shop, by network and name, in the wording of receiving phones in 2026 with made-up names
 * and numbers. No genuine one of AirtelTigo was found. A change of any form is tried against all of them.
 */
export const BUILT_IN_SAMPLES: Readonly<Record<string, readonly string[]>> = {
  'MTN payment received': [
    'Payment received for GHS 36.00 from KWESI APPIAH Current Balance: GHS 36.00 . Available Balance: GHS 36.00. Reference: Rent. Transaction ID: 51234567890. TRANSACTION FEE: 0.00',
    'Payment received for GHS 53.00 from ABAKAH KOJO  Current Balance: GHS 100.03 . Available Balance: GHS 100.03. Reference: ABAKAH KOJO ,233500000001,1 from VODAFONE. Transaction ID: 89195251384. TRANSACTION FEE: 0.00',
    'Payment received for GHS 101.00 from AMA SAMPLE BOAH. Reference: miniproj. Transaction ID: 83724298138.',
    'Payment received for GHS 9.00 from SENDER TWO SAMPLE Current Balance: GHS 9.09. Reference: 5. Transaction ID: 80993550725. TRANSACTION FEE: 0.00',
  ],
  'MTN cash in': [
    'Cash In received for GHS 300.00 from ADOM ELECTRICALS . Current Balance GHS 322.10  Available Balance GHS 322.10. Transaction ID: 10502294418. Fee charged: GHS 0. Cash in (Deposit) is a free transaction.',
  ],
  'Telecel received from Telecel Cash': [
    '0000019305566778 Confirmed. You have received GHS45.00 from 233209876543 - KOJO ANSAH BEKOE on 2026-01-07 at 11:02:51. Your Telecel Cash balance is GHS135.25.\nReference: 1.\nStay alert.',
  ],
  'Telecel received from another network': [
    '0000019472100347 Confirmed. You have received GHS150.00 from MTN MOBILE MONEY with transaction reference: Transfer From: 233541234567-AMA SERWAA OWUSU  on 2026-01-14 at 09:05:44. Your Telecel Cash balance is GHS205.58.\nRef: 1.\nStay alert.',
    '0000019472100349 Confirmed. You have received GHS25.00 from GHANAPAY with transaction reference: Transfer From: 0551000001-Akua  on 2026-01-14 at 09:05:44. Your Telecel Cash balance is GHS230.58.',
  ],
  'Telecel received without a number': [
    '0000014271426460 Confirmed. You have received GHS68.95 from SAMPLE PERSON on TELECEL CASH on 2025-08-29 at 08:47:14. Your Telecel Cash balance is GHS1001.02. Ref: electricity',
    '0000012269962269 confirmed. You have received GHS387.72 as payment from EXPRESSPAY on 2026-03-04 at 16:47:33. Your new Telecel Cash balance is GHS944.40.',
  ],
  'Telecel deposit': [
    '0000019459870042 Confirmed. On 2026-02-08 at 15:10:31, a deposit of GHS80.00 was made to your account from ABENA FOSUA VENTURES      . Your balance is GHS80.37. Stay alert.',
  ],
  'GhanaPay received': [
    'You have received GHS 400.00 from: 2255****789 , Ecobank. Ref: REF: 705321835172116 . Transaction ID: 618920387156. Balance: GHS 506.58.',
  ],
  'MTN payment made': [
    'Payment made for GHS 5.00 to bbb Current Balance: GHS 102.41 . Available Balance: GHS 102.41. Reference: 1. Transaction ID: 88336392260. Fee charged: GHS0.50 Tax charged: 0.',
  ],
  'MTN bill': [
    'Payment for GHS3.00 to MTN BUNDLE .Current Balance: GHS 0.38. Transaction Id: 85762523456. Fee charged: GHS0.00,Tax Charged 0.',
  ],
  'MTN payment failed': [
    'Your payment of GHS 5.00 to MTN AIRTIME  has failed at 2026-07-15 15:47:43. Reference: -. Financial Transaction Id: 85436498944. External Transaction Id: 85436498944. TRANSACTION FEE IS 0',
  ],
  'MTN payment completed': [
    'Your payment of GHS 24.00 to TELECEL PUSH has been completed at 2026-05-22 08:15:05. Your new balance: GHS 648.90. Fee was GHS 0.38 Tax was GHS -. Reference: ABENA OWUSU,233500000004,Waakye. Financial Transaction Id: 81780850399.',
  ],
  'MTN never arrived': [
    'You have exceeded your daily transaction limit. INTEROPERABILITY PULL OVA failed to send GHS 990.00 to your account. Go to my wallet to check your wallet limit. Financial transaction Id: 86187286967. Transaction Fee is 0.',
  ],
  'MTN cash out': [
    'Cash Out made for GHS40.00 to ADOM ELECTRICALS . Current Balance: GHS22.10 Financial Transaction Id: 10493827561. Cash-out fee is charged automatically. Fee charged: GHS0.40.',
  ],
  'MTN transfer': [
    'You have transferred GHS 10.00  to Other Networks   from your mobile money account 000000000 at 2026-07-19 09:37:20. Your new balance: 4652.89 GHS. Financial Transaction Id: 85672169720.',
  ],
  'MTN paid a merchant': [
    "Y'ello. You have Paid GHS 40 to Merchant 104901 on your mobile money account at 202608184348. Message from sender: 1. Your new balance: GHS 106.39 . Fee was GHS 0.50 . Financial Transaction Id: 84997229749.",
  ],
  'MTN refund': [
    'Hello, MTN BUNDLE  (CISNG.sp) has successfully refunded GHS 3.00 to your mobile money account at 2026-07-11 23:09:24. Message from refunder: . Your new balance:295.83 GHS. Financial Transaction Id: 85211519729.',
  ],
  'Telecel failed': [
    'Failed. Your Transfer of GHS30.00 sent to 0240000000 SAMPLE NAME on MTN MOBILE MONEY on 2026-04-13 at 19:44:46 was unsuccessful.',
  ],
  'Telecel sent': [
    '0000019472630581 Confirmed. GHS25.00 sent to 0241234567 - KWAME ASANTE MENSAH on MTN MOBILE MONEY on 2026-01-15 at 14:22:08. Your Telecel Cash balance is GHS180.45. You were charged GHS0.13. Reference: Lunch .',
    '0000019472630584 Confirmed. You bought GHS30.00 of airtime for 233201234567 on 2026-01-15 at 14:22:08. Your Telecel Cash balance is GHS115.22.',
  ],
  'Telecel bundle': [
    '0000012419176900 confirmed. Your bundle purchase request of GHS15.00 on 2026-03-18 has been received at 13:12:36. Kindly wait for confirmation. Your new Telecel Cash balance is GHS205.11.',
  ],
  'Telecel loan paid': [
    '0000012220022826 confirmed. You have paid your GHS6.60 Ready Loan default charge on 2026-02-28 at 10:40:29. Your new Telecel Cash balance is GHS46.73.',
  ],
  'Telecel balance': ['0000012241711788 Confirmed. Your Telecel Cash wallet balance is GHS461.73 . Sending money remains FREE.'],
  'Telecel airtime': [
    'Transaction ID: 0000019460055123 confirmed from 555. You have received airtime of GHS30.00 from 233201234567 - KOFI BOAKYE DANSO on 2026-02-08 at 15:52:07.',
  ],
  'Telecel interest': [
    'Dear customer, you have received GHS0.04 from Telecel Cash as interest earned for the quarter. Your new balance is GHS6.01.',
  ],
  'AirtelTigo received': [],
}
