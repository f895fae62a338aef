import type { OrderView } from '../../contract/orders.ts';
import { RiderMap } from './RiderMap.tsx';

/** Where the rider is; to a train the line of time says it. */
export const OrderMap = ({ order }: { order: OrderView }) =>
  TRAINS && order.train ? null : <RiderMap order={order} />;
