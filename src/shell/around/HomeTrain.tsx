import * as t from '#text/trains.ts';
import { href } from '../../ui/href.ts';
import { TrainIcon } from '../../ui/pictures/icons.ts';
import { Card } from '../../ui/page/Card.tsx';
import { ListRow } from '../../ui/page/ListRow.tsx';
import { HomeCard } from './HomeCard.tsx';

/** At the end of home, where it moves nothing: the way to food on trains. */
export default function HomeTrain() {
  return (
    <HomeCard label={t.title}>
      <Card flush>
        <ListRow
          icon={<TrainIcon size={22} />}
          title={t.homeCard}
          detail={t.homeCardDetail}
          href={href('/deliverontrain')}
        />
      </Card>
    </HomeCard>
  );
}
