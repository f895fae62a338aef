import type { OrderView } from '../../contract/orders.ts';
import { isLost } from '../../domain/orders.ts';
import { part } from '../../ui/time/loaded.tsx';
import { Skeleton } from '../../ui/page/Skeleton.tsx';
import { Progress } from './Progress.tsx';

const loadTrain = TRAINS ? () => import('../trains/TrainProgress.tsx') : null;
const TrainProgress = loadTrain ? part(loadTrain, () => <Skeleton height="16rem" />) : () => null;
const TrainNews = loadTrain ? part(async () => ({ default: (await loadTrain()).TrainNews })) : () => null;

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

/** Why an order to a train ended without food: what was told of the train. */
export const TrainTold = ({ order }: { order: OrderView }) =>
  TRAINS && order.train && isLost(order.orderStatus) ? <TrainNews train={order.train} /> : null;
