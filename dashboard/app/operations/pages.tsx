/** Pages for the people who run the installation: `npm run ops` in a browser. */
import { Route, Switch } from 'wouter-preact';
import { Find } from './find.tsx';
import { Incidents } from './incidents.tsx';
import { MerchantsHealth } from './merchants.tsx';
import { Subject } from './subject.tsx';

export function OperatorPages() {
  return (
    <Switch>
      <Route path="/merchants" component={MerchantsHealth} />
      <Route path="/find" component={Find} />
      <Route path="/subjects/:id">{({ id }) => <Subject key={id} id={id} />}</Route>
      <Route component={Incidents} />
    </Switch>
  );
}
