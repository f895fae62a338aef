import type { OrderView } from '../../contract/orders.ts';
import { isLost } from '../../domain/orders.ts';
import { TrainNews, TrainProgress } from '../trains/TrainProgress.tsx';
import { Progress } from './Progress.tsx';
import { RiderMap } from './RiderMap.tsx';

interface OnTheWayProps {
  order: OrderView;
  /** The page has said above how far it is. */
  isNamed: boolean;
  onTracker?: boolean;
}

/** How far an order is: to a door, a table or a car, or to a train. */
export function OnTheWay(props: OnTheWayProps) {
  const { order } = props;
  return TRAINS && order.train ? <TrainProgress order={order} train={order.train} /> : <Progress {...props} />;
}

/** Where the rider is; to a train the line of time says it. */
export const OrderMap = ({ order }: { order: OrderView }) =>
  TRAINS && order.train ? null : <RiderMap order={order} />;

/** Why an order to a train ended without food: what was told of the train. */
export const TrainTold = ({ order }: { order: OrderView }) =>
  TRAINS && order.train && isLost(order.orderStatus) ? <TrainNews train={order.train} /> : null;
