import type * as ChooseModule from '../../server/features/delivery/supplier/choose-supplier.ts'
import type * as HubnetModule from '../../server/integrations/supplier/hubnet.ts'
import type * as ReloadlyModule from '../../server/integrations/supplier/reloadly.ts'
import { type Guard, guard, inModule } from './guard.ts'

/** Y. Several suppliers for one network. */
export const failoverGuards: Guard[] = [
  guard('Y1', 60, 'that an unclear outcome is no refusal', {
    replaced: [
      inModule<typeof HubnetModule>('../../server/integrations/supplier/hubnet.ts').wrap('createHubnet', (createHubnet, settings) => {
        const supplier = createHubnet(settings)
        return {
          ...supplier,
          async send(order) {
            const outcome = await supplier.send(order)
            return outcome.outcome === 'unknown' ? { outcome: 'rejected', cause: 'refused', detail: outcome.detail } : outcome
          },
        }
      }),
    ],
  }),
  guard('Y2', 40, 'that an unclear outcome of airtime is no refusal', {
    replaced: [
      inModule<typeof ReloadlyModule>('../../server/integrations/supplier/reloadly.ts').wrap(
        'createReloadly',
        (createReloadly, settings) => {
          const supplier = createReloadly(settings)
          return {
            ...supplier,
            async send(order) {
              const outcome = await supplier.send(order)
              return outcome.outcome === 'unknown' ? { outcome: 'rejected', cause: 'refused', detail: outcome.detail } : outcome
            },
          }
        },
      ),
    ],
  }),
  guard('Y2', 40, 'that airtime covers its cost', {
    replaced: [
      inModule<typeof ChooseModule>('../../server/features/delivery/supplier/choose-supplier.ts').wrap(
        'chooseSupplier',
        (choose, choosing) => choose({ ...choosing, mayCostMore: true }),
      ),
    ],
  }),
  guard('Y1', 60, 'that a delivery costs what it costs at the supplier that delivered it', {
    fromDatabase: async (db) =>
      void (await db.query(
        `create or replace function fix_delivery_cost() returns trigger language plpgsql as $$
         begin
           new.completed_at := new.decided_at;
           new.cost_supplier := 'hubnet';
           new.cost_pesewas := package_cost(new.product_id, new.offer, 'hubnet', new.decided_at);
           return new;
         end $$`,
      )),
  }),
]
