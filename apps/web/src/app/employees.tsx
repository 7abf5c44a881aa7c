/** Joins the roster with the actions of the signed-in account, because features do not import each other. */
import EmployeesScreen from '../features/employees/employees-screen.tsx';
import { StaffRecognition } from '../features/recognition/staff-recognition.tsx';

export default function Employees() {
  return <EmployeesScreen ownAccount={<StaffRecognition />} />;
}
